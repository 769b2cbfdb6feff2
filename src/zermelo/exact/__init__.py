"""Exact linear algebra: sparse factors of matrices of rational numbers, and the simplex method on them."""
