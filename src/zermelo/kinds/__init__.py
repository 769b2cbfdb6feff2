"""The kinds of games: one module for each way of stating a game.

A module joins a room to the hallway: it says how games of its kind are written, recognised and read, which engine they
go to, how an answer is put into words, and what can be drawn. The base class is :class:`zermelo.kind.Kind`; the table
of all kinds is :data:`zermelo.solving.tables.KINDS`. The modules are light: rooms are loaded when they are needed.
"""
