(** A list of layers proves its claim.

    A certificate of version 2 (docs/formats/layers.md) is the moves of one role, its owner, layer by layer. A checker
    makes the positions of the next layer out of those of the layer before it: after the owner's move where he is to
    move, after every legal move where somebody else is. It looks at ends at once, and it accepts when the last layer
    leads to ends only. This file states that rule as a function, [proved], over any game, and proves what it is worth:
    if [proved] says yes, the owner can see to it that he gets what is claimed, whatever the others do ([soundness]).
    Images, positions that rules close, and parts of a certificate are part of it ([soundness_in_parts]). *)

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

(** ** What may be left out *)

Variable bound : Z.

(** Two positions are the same if the owner is sure of as much in the first as in the second: they are equal, or images of
    each other. [images_are_sure] below says what an image has to be. *)
Variable same : Position -> Position -> bool.
Hypothesis same_is_sure : forall p q, same p q = true -> sure bound q -> sure bound p.
(** A position is closed if a rule shows that the owner is sure of what is claimed. *)
Variable closed : Position -> bool.
Hypothesis closed_is_sure : forall p, closed p = true -> sure bound p.

(** ** The checker *)

(** Any number for a position, to find it again quickly: a bad one costs time or repeats work, and proves nothing wrong. *)
Variable code : Position -> positive.

(** The positions of the next layer that were met so far, the last one first, and a way to find them. *)
Record met := { found : PositiveMap.t Position; positions : list Position }.
Definition nothing_met := {| found := PositiveMap.empty Position; positions := [] |}.

Definition meet (q : Position) (m : met) : option met :=
  match result q with
  | Some score => if (bound <=? score)%Z then Some m else None
  | None =>
    if closed q then Some m else
    match PositiveMap.find (code q) (found m) with
    | Some r => if same q r then Some m else Some {| found := found m; positions := q :: positions m |}
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

(** What lies beyond the last layer. *)
Fixpoint beyond (layer : list Position) (layers : list (list nat)) : option (list Position) :=
  match layers with
  | [] => Some layer
  | places :: others =>
    match read layer places nothing_met with Some m => beyond (rev_append (positions m) []) others | None => None end
  end.

Definition check (layer : list Position) (layers : list (list nat)) : bool :=
  match beyond layer layers with Some [] => true | _ => false end.

(** Parts, each with the number of positions that it goes on from. *)
Fixpoint check_parts (ahead : list Position) (parts : list (nat * list (list nat))) : bool :=
  match parts with
  | [] => match ahead with [] => true | _ => false end
  | (count, layers) :: others => check (firstn count ahead) layers && check_parts (skipn count ahead) others
  end.

Definition proved_in_parts (start : Position) (layers : list (list nat)) (parts : list (nat * list (list nat))) : bool :=
  match result start with
  | Some score => match layers, parts with [], [] => (bound <=? score)%Z | _, _ => false end
  | None =>
    if closed start then match layers, parts with [], [] => true | _, _ => false end
    else match beyond [start] layers with Some ahead => check_parts ahead parts | None => false end
  end.

Definition proved (start : Position) (layers : list (list nat)) : bool := proved_in_parts start layers [].

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

(** A position that was met or is the same as one, or that is closed, or where the game is over as it should be. *)
Definition dealt_with (q : Position) (m : met) : Prop :=
  (exists r, In r (positions m) /\ (q = r \/ same q r = true)) \/ closed q = true \/
  exists score, result q = Some score /\ (bound <= score)%Z.

Lemma meet_is_right q m m' : meet q m = Some m' -> in_order m ->
  in_order m' /\ incl (positions m) (positions m') /\ dealt_with q m'.
Proof.
  unfold meet, dealt_with. intros H [Hfound Hopen].
  destruct (result q) as [score|] eqn:Hq.
  - destruct (bound <=? score)%Z eqn:Hb; [|discriminate]. injection H as <-.
    apply Z.leb_le in Hb. repeat split; auto using incl_refl. right. right. eauto.
  - destruct (closed q) eqn:Hc.
    { injection H as <-. repeat split; auto using incl_refl. }
    destruct (PositiveMap.find (code q) (found m)) as [r|] eqn:Hr.
    + destruct (same q r) eqn:He; injection H as <-; cbn.
      * repeat split; auto using incl_refl. left. exists r. split; [eauto|now right].
      * repeat split; cbn; auto using incl_tl, incl_refl.
        -- intros k s Hk. right. eauto.
        -- intros s [->|Hs]; auto.
        -- left. exists q. auto.
    + injection H as <-. repeat split; cbn; auto using incl_tl, incl_refl.
      * intros k s Hk. destruct (Pos.eq_dec k (code q)) as [->|Hne].
        -- rewrite PositiveMap.gss in Hk. injection Hk as <-. now left.
        -- rewrite PositiveMap.gso in Hk by assumption. right. eauto.
      * intros s [->|Hs]; auto.
      * left. exists q. auto.
Qed.

Lemma still_dealt_with q m m' : incl (positions m) (positions m') -> dealt_with q m -> dealt_with q m'.
Proof. intros Hincl [(r & Hr & H)|H]; [left; exists r; auto|right; auto]. Qed.

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
Proof.
  intros [(r & Hr & [->|H])|[H|(score & Hq & Hb)]] Hall; [auto|eauto|auto|econstructor 1; eassumption].
Qed.

Lemma beyond_is_right layers : forall layer ahead, beyond layer layers = Some ahead ->
  (forall p, In p layer -> result p = None) -> (forall p, In p ahead -> sure bound p) ->
  forall p, In p layer -> sure bound p.
Proof.
  induction layers as [|places layers IH]; cbn; intros layer ahead H Hopen Hleft p Hp.
  - injection H as <-. auto.
  - destruct (read layer places nothing_met) as [m|] eqn:Hread; [|discriminate].
    destruct (read_is_right _ _ _ _ Hread nothing_met_in_order) as ((_ & Hm) & _ & Hall).
    assert (Hsure : forall r, In r (positions m) -> sure bound r).
    { rewrite <- rev_alt in H. intros r Hr.
      apply (IH _ _ H); [intros s Hs; apply Hm; now apply in_rev|assumption|now apply in_rev in Hr]. }
    specialize (Hall p Hp). unfold answered in Hall. destruct (own p) eqn:Hown.
    + destruct Hall as (q & Hq & Hd). eapply sure_by_a_move; eauto using dealt_with_is_sure.
    + destruct Hall as (Hne & Hd). eapply sure_whatever_they_do; eauto using dealt_with_is_sure.
Qed.

(** Nothing that lies beyond is over. *)
Lemma beyond_is_open layers : forall layer ahead, beyond layer layers = Some ahead ->
  (forall p, In p layer -> result p = None) -> forall p, In p ahead -> result p = None.
Proof.
  induction layers as [|places layers IH]; cbn; intros layer ahead H Hopen p Hp.
  - injection H as <-. auto.
  - destruct (read layer places nothing_met) as [m|] eqn:Hread; [|discriminate].
    destruct (read_is_right _ _ _ _ Hread nothing_met_in_order) as ((_ & Hm) & _ & _).
    rewrite <- rev_alt in H. eapply (IH _ _ H); [|eassumption]. intros s Hs. apply Hm. now apply in_rev.
Qed.

Lemma check_is_right layers layer : check layer layers = true ->
  (forall p, In p layer -> result p = None) -> forall p, In p layer -> sure bound p.
Proof.
  unfold check. destruct (beyond layer layers) as [[|q ahead]|] eqn:H; intros Hc Hopen; try discriminate.
  apply (beyond_is_right _ _ _ H Hopen). intros p [].
Qed.

Lemma check_parts_is_right parts : forall ahead, check_parts ahead parts = true ->
  (forall p, In p ahead -> result p = None) -> forall p, In p ahead -> sure bound p.
Proof.
  induction parts as [|[count layers] parts IH]; cbn; intros ahead H Hopen p Hp.
  - destruct ahead; [contradiction|discriminate].
  - apply andb_prop in H. destruct H as [Hfirst Hrest].
    rewrite <- (firstn_skipn count ahead) in Hp, Hopen. apply in_app_or in Hp. destruct Hp as [Hp|Hp].
    + apply (check_is_right _ _ Hfirst); [|assumption]. intros q Hq. apply Hopen, in_or_app. now left.
    + apply (IH _ Hrest); [|assumption]. intros q Hq. apply Hopen, in_or_app. now right.
Qed.

Theorem soundness_in_parts start layers parts : proved_in_parts start layers parts = true -> sure bound start.
Proof.
  unfold proved_in_parts. destruct (result start) as [score|] eqn:Hs; intros H.
  - destruct layers, parts; try discriminate. apply Z.leb_le in H. econstructor 1; eassumption.
  - destruct (closed start) eqn:Hc; [auto|].
    destruct (beyond [start] layers) as [ahead|] eqn:Hb; [|discriminate].
    assert (Hopen : forall p, In p [start] -> result p = None) by (intros p [<-|[]]; assumption).
    apply (beyond_is_right _ _ _ Hb Hopen); [|now left].
    apply (check_parts_is_right _ _ H). eauto using beyond_is_open.
Qed.

Theorem soundness start layers : proved start layers = true -> sure bound start.
Proof. apply soundness_in_parts. Qed.

End Layers.

(** ** What images and the rule at-once have to be *)

Section LeftOut.

Variable Position : Type.
Variable after : Position -> list Position.
Variable result : Position -> option Z.
Variable own : Position -> bool.

(** An image keeps results and turns, and play from it is the image of play. *)
Theorem images_are_sure (image : Position -> Position) :
  (forall p, result (image p) = result p) -> (forall p, own (image p) = own p) ->
  (forall p q, In q (after p) -> In (image q) (after (image p))) ->
  (forall p q, In q (after (image p)) -> exists r, In r (after p) /\ q = image r) ->
  forall bound p, sure Position after result own bound p -> sure Position after result own bound (image p).
Proof.
  intros Hresult Hown Hinto Honto bound p H.
  induction H as [p score Hs Hb|p q Hn Ho Hq _ IH|p Hn Ho Hne _ IH].
  - eapply sure_at_the_end; [rewrite Hresult|]; eassumption.
  - eapply sure_by_a_move; [now rewrite Hresult|now rewrite Hown|apply Hinto; eassumption|assumption].
  - apply sure_whatever_they_do; [now rewrite Hresult|now rewrite Hown| |].
    + destruct (after p) as [|q rest] eqn:Ha; [congruence|].
      intros E. assert (Hin : In (image q) (after (image p))) by (apply Hinto; rewrite Ha; now left).
      rewrite E in Hin. contradiction.
    + intros q Hq. destruct (Honto _ _ Hq) as (r & Hr & ->). auto.
Qed.

(** The rule at-once: the owner is to move, and a move ends the game with what is claimed. *)
Definition at_once (bound : Z) (p : Position) : bool :=
  match result p with
  | Some _ => false
  | None =>
    own p && existsb (fun q => match result q with Some score => (bound <=? score)%Z | None => false end) (after p)
  end.

Theorem at_once_is_sure bound p : at_once bound p = true -> sure Position after result own bound p.
Proof.
  unfold at_once. destruct (result p) eqn:Hp; [discriminate|]. intros H.
  apply andb_prop in H. destruct H as [Ho H]. apply existsb_exists in H. destruct H as (q & Hq & H).
  destruct (result q) as [score|] eqn:Hs; [|discriminate]. apply Z.leb_le in H.
  eapply sure_by_a_move; eauto. econstructor 1; eassumption.
Qed.

End LeftOut.

Print Assumptions soundness_in_parts.
Print Assumptions images_are_sure.
Print Assumptions at_once_is_sure.
