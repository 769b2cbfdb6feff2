"""Programs as files: QLP is read and written, LP and MPS are written for other solvers."""
