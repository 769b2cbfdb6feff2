"""Ordinary linear and mixed integer programs: solved by HiGHS in floating point, answered with exact numbers."""
