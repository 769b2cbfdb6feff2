"""The web page: a server for one machine, the JSON interface behind it, and the files of the page.

The server itself reads no game and runs no engine. Whatever somebody sends is read in a process of its own, under a
ceiling of memory and time, with no file to open (:mod:`zermelo.web.worker`, :mod:`zermelo.web.confinement`). Short
questions go to a few processes that stay (:mod:`zermelo.web.desk`), long ones get a process each
(:mod:`zermelo.web.jobs`). :mod:`zermelo.web.routes` is the table of all that can be asked.
"""
