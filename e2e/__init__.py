"""End-to-end tests: the fixture site, a real browser, a real proxy. Nothing here ships."""
