"""Values of short games under normal play: canonical forms and what is done with them, and nim arithmetic."""
