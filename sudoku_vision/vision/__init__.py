"""From a picture to the digits in it: load, locate, rectify, digits, decode."""
