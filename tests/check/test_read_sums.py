"""Where texts of sums and records go wrong, and what they state where they do not."""
