"""Pictures of games: trees of moves, graphs of positions, and the nodes that both are drawn with."""
