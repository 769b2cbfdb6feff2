"""The checker's own readers, one small module a file format.

A checker that works from the engines' reading of a file would accept what they misread. So every format is read a
second time here, by code that shares nothing with theirs: no tokens, no syntax trees, no normal forms. Each module has

* ``read(source)``: the text of a :class:`~zermelo.source.Source` as the checker's own noun, an
  :class:`~zermelo.check.instance.Instance`; ``InputError`` with the place where the text states no game;
* ``of_game(game)``, here or in :mod:`zermelo.check.copied`: the same noun of what the engines have read (or of a game
  that was made in Python, without a text). The checker needs it for such games only; for the others, the tests compare
  both.

Either refuses whatever the format does not allow, and by the same rules: nothing is guessed.
"""
