"""The web page: its interface, what it refuses, what happens under load, and what a browser shows."""
