"""Pictures as SVG: boards, grids, cards. Knows shapes and colours, and nothing of games."""
