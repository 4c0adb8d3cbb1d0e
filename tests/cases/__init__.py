"""The inputs that broke other tools, one behaviour each, named by their numbers."""
