"""Games as people write them: read from brackets and names, and printed in the shortest standard form."""
