(** The checker as a program: [nat] becomes a machine integer, all else stays as it is proved. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt.
From Zermelo Require Import Rows.

Extraction Language OCaml.
Extraction "checked.ml" connect_proved mnk_proved.
