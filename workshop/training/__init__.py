"""Rendering, training and evaluation: never imported by a solve."""
