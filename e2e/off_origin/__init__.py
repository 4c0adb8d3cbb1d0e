"""Nothing goes to another origin: refused before a socket opens, and said honestly."""
