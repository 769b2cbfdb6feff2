"""Records that are written: a position with remarks, or a whole record with remarks at a position."""
