"""The page in real browsers. A package, so that its fixtures have a room of their own and end with it."""
