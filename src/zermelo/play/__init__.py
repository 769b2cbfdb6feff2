"""Play: a game under way, engines that choose moves, and the terminal.

:class:`~zermelo.play.session.Session` holds a game under way and knows no user interface;
:class:`~zermelo.play.engine_player.EnginePlayer` chooses moves under a clock;
:mod:`zermelo.play.terminal` lets people play in a terminal.
"""
