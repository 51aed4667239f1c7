"""From a picture to the digits in it, in five stages: load, locate, rectify, digits, decode."""
