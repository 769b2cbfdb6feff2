"""Pictures of rulesheets: what a stylesheet asks for, and else what can be told from the facts.

A stylesheet ``NAME.view.toml`` beside ``NAME.kif`` lists the parts of the picture, each with the facts that it shows.
Facts that no part shows are drawn as well as can be guessed from their form, unless the stylesheet hides them.
"""
