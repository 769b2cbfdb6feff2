(** A list of layers proves its claim.

    A certificate of version 2 (docs/formats/layers.md) is the moves of one role, its owner, layer by layer. A checker
    makes the positions of the next layer out of those of the layer before it: after the owner's move where he is to
    move, after every legal move where somebody else is. It looks at ends at once, and it accepts when the last layer
    leads to ends only. This file states that rule as a function, [proved], over any game, and proves what it is worth:
    if [proved] says yes, the owner can see to it that he gets what is claimed, whatever the others do ([soundness]). *)

From Coq Require Import List ZArith Bool FMapPositive.
Import ListNotations.

Section Layers.

(** ** A game, from the side of the owner of a strategy *)

Variable Position : Type.
(** The positions after each legal move, in the order of the rules. *)
Variable after : Position -> list Position.
(** What the owner gets where the game is over; nothing where it is not. *)
Variable result : Position -> option Z.
(** Whether the owner is to move. *)
Variable own : Position -> bool.

(** The owner is sure of [bound] in a position if the game is over and gives it to him, or if he has a move to a
    position in which he is sure of it, or if every move of the others leads to such a position. The definition is
    inductive, so play comes to an end: there is no going round in circles. *)
Inductive sure (bound : Z) : Position -> Prop :=
| sure_at_the_end p score : result p = Some score -> (bound <= score)%Z -> sure bound p
| sure_by_a_move p q : result p = None -> own p = true -> In q (after p) -> sure bound q -> sure bound p
| sure_whatever_they_do p : result p = None -> own p = false -> after p <> [] ->
    (forall q, In q (after p) -> sure bound q) -> sure bound p.

(** ** The checker *)

Variable equal : Position -> Position -> bool.
Hypothesis equal_is_equal : forall p q, equal p q = true -> p = q.
(** Any number for a position, to find it again quickly: a bad one costs time or repeats work, and proves nothing wrong. *)
Variable code : Position -> positive.

Variable bound : Z.

(** The positions of the next layer that were met so far, the last one first, and a way to find them. *)
Record met := { found : PositiveMap.t Position; positions : list Position }.
Definition nothing_met := {| found := PositiveMap.empty Position; positions := [] |}.

Definition meet (q : Position) (m : met) : option met :=
  match result q with
  | Some score => if (bound <=? score)%Z then Some m else None
  | None =>
    match PositiveMap.find (code q) (found m) with
    | Some r => if equal q r then Some m else Some {| found := found m; positions := q :: positions m |}
    | None => Some {| found := PositiveMap.add (code q) q (found m); positions := q :: positions m |}
    end
  end.

Fixpoint meet_all (qs : list Position) (m : met) : option met :=
  match qs with
  | [] => Some m
  | q :: rest => match meet q m with Some m' => meet_all rest m' | None => None end
  end.

(** Reads the owner's moves in a layer, each as its place in the list of legal moves. *)
Fixpoint read (layer : list Position) (places : list nat) (m : met) : option met :=
  match layer with
  | [] => match places with [] => Some m | _ => None end
  | p :: rest =>
    if own p then
      match places with
      | [] => None
      | place :: others =>
        match nth_error (after p) place with
        | None => None
        | Some q => match meet q m with Some m' => read rest others m' | None => None end
        end
      end
    else
      match after p with
      | [] => None
      | _ => match meet_all (after p) m with Some m' => read rest places m' | None => None end
      end
  end.

Fixpoint check (layer : list Position) (layers : list (list nat)) : bool :=
  match layers with
  | [] => match layer with [] => true | _ => false end
  | places :: others =>
    match read layer places nothing_met with Some m => check (rev_append (positions m) []) others | None => false end
  end.

Definition proved (start : Position) (layers : list (list nat)) : bool :=
  match result start with
  | Some score => match layers with [] => (bound <=? score)%Z | _ => false end
  | None => check [start] layers
  end.

(** ** Why it is right *)

(** Whatever can be found was met, and nothing that was met is over. *)
Definition in_order (m : met) : Prop :=
  (forall k q, PositiveMap.find k (found m) = Some q -> In q (positions m)) /\
  (forall q, In q (positions m) -> result q = None).

Lemma nothing_met_in_order : in_order nothing_met.
Proof.
  split; cbn; intros.
  - rewrite PositiveMap.gempty in H. discriminate.
  - contradiction.
Qed.

(** A position that was met, or where the game is over as it should be. *)
Definition dealt_with (q : Position) (m : met) : Prop :=
  In q (positions m) \/ exists score, result q = Some score /\ (bound <= score)%Z.

Lemma meet_is_right q m m' : meet q m = Some m' -> in_order m ->
  in_order m' /\ incl (positions m) (positions m') /\ dealt_with q m'.
Proof.
  unfold meet, dealt_with. intros H [Hfound Hopen].
  destruct (result q) as [score|] eqn:Hq.
  - destruct (bound <=? score)%Z eqn:Hb; [|discriminate]. injection H as <-.
    apply Z.leb_le in Hb. repeat split; auto using incl_refl. right. eauto.
  - destruct (PositiveMap.find (code q) (found m)) as [r|] eqn:Hr.
    + destruct (equal q r) eqn:He; injection H as <-; cbn.
      * apply equal_is_equal in He. subst r. repeat split; auto using incl_refl. left. eauto.
      * repeat split; cbn; auto using incl_tl, incl_refl.
        -- intros k s Hk. right. eauto.
        -- intros s [->|Hs]; auto.
    + injection H as <-. repeat split; cbn; auto using incl_tl, incl_refl.
      * intros k s Hk. destruct (Pos.eq_dec k (code q)) as [->|Hne].
        -- rewrite PositiveMap.gss in Hk. injection Hk as <-. now left.
        -- rewrite PositiveMap.gso in Hk by assumption. right. eauto.
      * intros s [->|Hs]; auto.
Qed.

Lemma still_dealt_with q m m' : incl (positions m) (positions m') -> dealt_with q m -> dealt_with q m'.
Proof. intros Hincl [H|H]; [left; auto|right; auto]. Qed.

Lemma meet_all_is_right qs : forall m m', meet_all qs m = Some m' -> in_order m ->
  in_order m' /\ incl (positions m) (positions m') /\ forall q, In q qs -> dealt_with q m'.
Proof.
  induction qs as [|q qs IH]; cbn; intros m m' H Hm.
  - injection H as <-. repeat split; try apply Hm; auto using incl_refl. intros q [].
  - destruct (meet q m) as [m1|] eqn:H1; [|discriminate].
    destruct (meet_is_right _ _ _ H1 Hm) as (Hm1 & Hi1 & Hq).
    destruct (IH _ _ H Hm1) as (Hm' & Hi' & Hqs).
    split; [assumption|]. split; [eauto using incl_tran|].
    intros r [<-|Hr]; [eauto using still_dealt_with|auto].
Qed.

(** The owner's move is to a position that is dealt with; where others move, all their moves are. *)
Definition answered (p : Position) (m : met) : Prop :=
  if own p then exists q, In q (after p) /\ dealt_with q m
  else after p <> [] /\ forall q, In q (after p) -> dealt_with q m.

Lemma still_answered p m m' : incl (positions m) (positions m') -> answered p m -> answered p m'.
Proof.
  unfold answered. intros Hi H. destruct (own p).
  - destruct H as (q & Hq & Hd). eauto using still_dealt_with.
  - destruct H as (Hne & Hall). split; eauto using still_dealt_with.
Qed.

Lemma read_is_right layer : forall places m m', read layer places m = Some m' -> in_order m ->
  in_order m' /\ incl (positions m) (positions m') /\ forall p, In p layer -> answered p m'.
Proof.
  induction layer as [|p layer IH]; cbn; intros places m m' H Hm.
  - destruct places; [|discriminate]. injection H as <-.
    repeat split; try apply Hm; auto using incl_refl. intros p [].
  - destruct (own p) eqn:Hown.
    + destruct places as [|place places]; [discriminate|].
      destruct (nth_error (after p) place) as [q|] eqn:Hq; [|discriminate].
      destruct (meet q m) as [m1|] eqn:H1; [|discriminate].
      destruct (meet_is_right _ _ _ H1 Hm) as (Hm1 & Hi1 & Hd).
      destruct (IH _ _ _ H Hm1) as (Hm' & Hi' & Hall).
      split; [assumption|]. split; [eauto using incl_tran|].
      intros r [<-|Hr]; [|auto]. apply still_answered with m1; [assumption|].
      unfold answered. rewrite Hown. exists q. split; [eapply nth_error_In; eassumption|assumption].
    + assert (Hne : after p <> []) by (destruct (after p); [discriminate|discriminate]).
      destruct (meet_all (after p) m) as [m1|] eqn:H1;
        [|destruct (after p); discriminate].
      assert (Hrest : read layer places m1 = Some m') by (destruct (after p); [contradiction|assumption]).
      destruct (meet_all_is_right _ _ _ H1 Hm) as (Hm1 & Hi1 & Hd).
      destruct (IH _ _ _ Hrest Hm1) as (Hm' & Hi' & Hall).
      split; [assumption|]. split; [eauto using incl_tran|].
      intros r [<-|Hr]; [|auto]. apply still_answered with m1; [assumption|].
      unfold answered. rewrite Hown. auto.
Qed.

Lemma dealt_with_is_sure q m : dealt_with q m -> (forall r, In r (positions m) -> sure bound r) -> sure bound q.
Proof. intros [H|(score & Hq & Hb)] Hall; [auto|econstructor 1; eassumption]. Qed.

Lemma check_is_right layers : forall layer, check layer layers = true ->
  (forall p, In p layer -> result p = None) -> forall p, In p layer -> sure bound p.
Proof.
  induction layers as [|places layers IH]; cbn; intros layer H Hopen p Hp.
  - destruct layer; [contradiction|discriminate].
  - destruct (read layer places nothing_met) as [m|] eqn:Hread; [|discriminate].
    destruct (read_is_right _ _ _ _ Hread nothing_met_in_order) as ((_ & Hm) & _ & Hall).
    assert (Hsure : forall r, In r (positions m) -> sure bound r).
    { rewrite <- rev_alt in H. intros r Hr.
      apply (IH _ H); [intros s Hs; apply Hm; now apply in_rev|now apply in_rev in Hr]. }
    specialize (Hall p Hp). unfold answered in Hall. destruct (own p) eqn:Hown.
    + destruct Hall as (q & Hq & Hd). eapply sure_by_a_move; eauto using dealt_with_is_sure.
    + destruct Hall as (Hne & Hd). eapply sure_whatever_they_do; eauto using dealt_with_is_sure.
Qed.

Theorem soundness start layers : proved start layers = true -> sure bound start.
Proof.
  unfold proved. destruct (result start) as [score|] eqn:Hs; intros H.
  - destruct layers; [|discriminate]. apply Z.leb_le in H. econstructor 1; eassumption.
  - apply check_is_right with (layer := [start]) (layers := layers); [assumption| |now left].
    intros p [<-|[]]. assumption.
Qed.

End Layers.

Print Assumptions soundness.
