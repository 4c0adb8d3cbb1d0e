"""One small file for each case: its pages, its API, its routes in `ROUTES`."""
