"""Proofs of the engines, checked as the certificates that are written of them would be."""

from __future__ import annotations

from zermelo.check import derivation as derivations
from zermelo.check import program as proofs
from zermelo.check.clause_steps import read_derivation
from zermelo.check.read.models import copy_of
from zermelo.check.steps import read_proof
from zermelo.check.verdict import Fault, Verdict
from zermelo.limits import Limits
from zermelo.qip.programs.program import Program
from zermelo.qip.proofs.derivation import Derivation
from zermelo.qip.proofs.proof import Proof
from zermelo.qip.proofs.proof_json import derivation_data, proof_data


def check_proof(program: Program, proof: Proof, limits: Limits | None = None) -> Verdict:
    """What the checker says of a proof."""
    try:
        read = read_proof(proof.owner, proof_data(proof))
    except Fault as error:
        return Verdict("refuted", str(error))
    return proofs.check_proof(copy_of(program), read, limits)


def check_derivation(program: Program, derivation: Derivation, limits: Limits | None = None) -> Verdict:
    """What the checker says of a derivation."""
    try:
        read = read_derivation(derivation_data(derivation))
    except Fault as error:
        return Verdict("refuted", str(error))
    return derivations.check_derivation(copy_of(program), read, limits)
