(* Reads a certificate of version 2 for connect or mnk and hands its layers to the function that Rows.v proves right.
   What is trusted beside that proof: this file, Coq's extraction, and the OCaml compiler. *)

open Checked

exception Bad of string

let rec positive n = if n = 1 then XH else if n land 1 = 1 then XI (positive (n lsr 1)) else XO (positive (n lsr 1))
let whole n = if n = 0 then Z0 else if n > 0 then Zpos (positive n) else Zneg (positive (-n))

type claim = { role : string; at_least : int; starts : string; play : string; after : int; width : int; layers : int list }

let read_file name =
  let file = open_in_bin name in
  let text = really_input_string file (in_channel_length file) in
  close_in file;
  text

(* The head as pairs of a word and what it says, and where the moves begin. *)
let head text =
  let rec lines at found =
    let stop = try String.index_from text at '\n' with Not_found -> raise (Bad "the head does not end") in
    if stop = at then (List.rev found, stop + 1)
    else
      let line = String.sub text at (stop - at) in
      let pair =
        match String.index_opt line ' ' with
        | None -> (line, "")
        | Some space -> (String.sub line 0 space, String.sub line (space + 1) (String.length line - space - 1))
      in
      lines (stop + 1) (pair :: found)
  in
  lines 0 []

let number text = match int_of_string_opt text with Some n -> n | None -> raise (Bad ("no whole number: " ^ text))

let claims pairs =
  let empty = { role = ""; at_least = 0; starts = ""; play = ""; after = 0; width = 1; layers = [] } in
  let take done_ (word, said) =
    match (word, done_) with
    | "claim", _ -> empty :: done_
    | _, [] -> done_
    | "role", c :: rest -> { c with role = said } :: rest
    | "at_least", c :: rest -> { c with at_least = number said } :: rest
    | "starts", c :: rest -> { c with starts = said } :: rest
    | "play", c :: rest -> { c with play = said } :: rest
    | "after", c :: rest -> { c with after = c.after + 1 } :: rest
    | "width", c :: rest -> { c with width = number said } :: rest
    | "layer", c :: rest -> (
        match String.split_on_char ' ' said with
        | [ _; moves ] -> { c with layers = number moves :: c.layers } :: rest
        | _ -> raise (Bad "expected `layer POSITIONS MOVES`"))
    | "sha256", _ -> done_
    | _ -> raise (Bad ("unknown word " ^ word))
  in
  List.rev_map (fun c -> { c with layers = List.rev c.layers }) (List.fold_left take [] pairs)

let () =
  if Array.length Sys.argv <> 2 then (prerr_endline "usage: layers-proved FILE"; exit 2);
  try
    let text = read_file Sys.argv.(1) in
    let pairs, begins = head text in
    let target = try List.assoc "target" pairs with Not_found -> raise (Bad "no target") in
    let name, sizes =
      match String.split_on_char ':' target with
      | [ name; sizes ] -> (name, List.map number (String.split_on_char ',' sizes))
      | _ -> raise (Bad target)
    in
    let proved =
      match (name, sizes) with
      | "connect", [ r; c; k ] -> connect_proved r c k
      | "mnk", [ r; c; k ] -> mnk_proved r c k
      | _ -> raise (Bad (target ^ ": expected connect:R,C,K or mnk:R,C,K"))
    in
    let at = ref begins in
    let byte () = let b = Char.code text.[!at] in incr at; b in
    let place width = let low = byte () in if width = 1 then low else low lor (byte () lsl 8) in
    let judge c =
      if c.after > 0 || c.starts <> "x" || c.play <> "score" then raise (Bad "expected a claim about the whole game");
      if c.role <> "x" && c.role <> "o" then raise (Bad "expected the role x or o");
      let layers = List.map (fun count -> List.init count (fun _ -> place c.width)) c.layers in
      let right = proved (c.role = "x") (whole c.at_least) layers in
      Printf.printf "%s: %s: %s gets at least %d\n%!" (if right then "accepted" else "refuted") target c.role c.at_least;
      right
    in
    let verdicts = List.map judge (claims pairs) in
    if !at <> String.length text || verdicts = [] then raise (Bad "bytes after the last move, or no claim");
    exit (if List.for_all Fun.id verdicts then 0 else 1)
  with
  | Bad why -> prerr_endline (Sys.argv.(1) ^ ": " ^ why); exit 2
  | Invalid_argument _ -> prerr_endline (Sys.argv.(1) ^ ": cut short"); exit 2
