"""Ratios from one run on this machine; never absolute promises, and nothing fails on a time."""
