"""Programs and their strategies to look at: polytopes of two or three variables, and trees of play."""
