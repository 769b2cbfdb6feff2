"""Games turned into what engines take: an explicit graph, and (in other rooms) formulas and programs."""
