(** The rules of [connect:R,C,K] and [mnk:R,C,K], and the checker of their certificates.

    Cells are numbered row by row from the top, each row from the left. A set of cells is a number whose bits are the
    cells. *)

From Coq Require Import List ZArith NArith Bool.
From Zermelo Require Import Layers.
Import ListNotations.

Record position := { first : N; second : N; first_moves : bool }.

Definition equal (p q : position) : bool :=
  N.eqb (first p) (first q) && N.eqb (second p) (second q) && Bool.eqb (first_moves p) (first_moves q).

Lemma equal_is_equal p q : equal p q = true -> p = q.
Proof.
  unfold equal. destruct p, q; cbn. intros H.
  apply andb_prop in H. destruct H as [H Hm]. apply andb_prop in H. destruct H as [Hf Hs].
  apply N.eqb_eq in Hf. apply N.eqb_eq in Hs. apply Bool.eqb_prop in Hm. now subst.
Qed.

Section Rules.

Variables rows columns k : nat.

Definition cell (row column : nat) : nat := row * columns + column.
Definition cells : nat := rows * columns.
Definition bit (c : nat) : N := N.shiftl 1 (N.of_nat c).
Definition has (set : N) (c : nat) : bool := N.testbit set (N.of_nat c).

(** The k cells from a cell on in a direction, as far as they are on the board; [up] counts columns to the left. *)
Fixpoint run (length row column : nat) (down : nat) (step : nat -> option nat) : option N :=
  match length with
  | 0 => Some 0%N
  | S less =>
    if (row <? rows) && (column <? columns) then
      match less, step column with
      | 0, _ => Some (bit (cell row column))
      | _, None => None
      | _, Some next =>
        match run less (row + down) next down step with
        | Some others => Some (N.lor (bit (cell row column)) others)
        | None => None
        end
      end
    else None
  end.

Definition rightward (c : nat) : option nat := Some (S c).
Definition straight (c : nat) : option nat := Some c.
Definition leftward (c : nat) : option nat := match c with 0 => None | S less => Some less end.

Definition lines_from (row column : nat) : list N :=
  flat_map (fun made => match made with Some line => [line] | None => [] end)
    [run k row column 0 rightward; run k row column 1 straight; run k row column 1 rightward; run k row column 1 leftward].
Definition lines : list N :=
  flat_map (fun row => flat_map (lines_from row) (seq 0 columns)) (seq 0 rows).

Definition complete (all_lines : list N) (stones : N) : bool :=
  existsb (fun line => N.eqb (N.land line stones) line) all_lines.

Definition start : position := {| first := 0; second := 0; first_moves := true |}.
Definition taken (p : position) : N := N.lor (first p) (second p).
Definition put (p : position) (c : nat) : position :=
  if first_moves p then {| first := N.lor (bit c) (first p); second := second p; first_moves := false |}
  else {| first := first p; second := N.lor (bit c) (second p); first_moves := true |}.

(** What one of the roles gets: the first, or the second. *)
Definition result (all_lines : list N) (full : N) (of_first : bool) (p : position) : option Z :=
  if complete all_lines (first p) then Some (if of_first then 1 else -1)%Z
  else if complete all_lines (second p) then Some (if of_first then -1 else 1)%Z
  else if N.eqb (taken p) full then Some 0%Z
  else None.

Definition own (of_first : bool) (p : position) : bool := Bool.eqb (first_moves p) of_first.

Definition code (p : position) : positive :=
  N.succ_pos (N.lor (first p) (N.shiftl (second p) (N.of_nat cells))).

(** mnk: any empty cell. *)
Definition after_mnk (p : position) : list position :=
  map (put p) (filter (fun c => negb (has (taken p) c)) (seq 0 cells)).

(** connect: the lowest empty cell of each column that has one. *)
Fixpoint landing (p : position) (height column : nat) : option nat :=
  match height with
  | 0 => None
  | S above => if has (taken p) (cell above column) then landing p above column else Some (cell above column)
  end.
Definition after_connect (p : position) : list position :=
  flat_map (fun column => match landing p rows column with Some c => [put p c] | None => [] end) (seq 0 columns).

Definition full_board : N := N.pred (bit cells).

(** Equal positions are the same, and nothing is closed: certificates with images or rules are refused by their reader. *)
Definition nothing_closed (_ : position) : bool := false.

(** The checkers. The lines are made once, before the layers are read. *)
Definition connect_proved (of_first : bool) (bound : Z) : list (list nat) -> bool :=
  let rules := result lines full_board of_first in
  fun layers => proved position after_connect rules (own of_first) bound equal nothing_closed code start layers.
Definition mnk_proved (of_first : bool) (bound : Z) : list (list nat) -> bool :=
  let rules := result lines full_board of_first in
  fun layers => proved position after_mnk rules (own of_first) bound equal nothing_closed code start layers.

Theorem connect_sound of_first bound layers : connect_proved of_first bound layers = true ->
  sure position after_connect (result lines full_board of_first) (own of_first) bound start.
Proof. apply soundness; [intros p q H; apply equal_is_equal in H; now subst|discriminate]. Qed.

Theorem mnk_sound of_first bound layers : mnk_proved of_first bound layers = true ->
  sure position after_mnk (result lines full_board of_first) (own of_first) bound start.
Proof. apply soundness; [intros p q H; apply equal_is_equal in H; now subst|discriminate]. Qed.

End Rules.

Print Assumptions connect_sound.
