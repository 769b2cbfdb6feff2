"""The JSON interface: what can be asked, and what comes back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.web.serving import Client
from zermelo.web.gallery import gallery
from zermelo.web.openapi import document
from zermelo.web.routes import ENDPOINTS, JOB_TASKS, PREFIX
from zermelo.web.samples import FOLDER, SAMPLES
from zermelo.web.server import Service
from zermelo.web.tasks import TASKS

EXAMPLES = Path(__file__).parents[2] / "examples"


# The table of what can be asked


def test_the_document_has_every_route_and_no_other(client: Client) -> None:
    told = client.get("/api/v1/openapi.json").json
    listed = {(path, method.upper()) for path, methods in told["paths"].items() for method in methods}
    assert listed == {(PREFIX + endpoint.path, endpoint.method) for endpoint in ENDPOINTS}
    assert told == json.loads(json.dumps(document()))


def test_every_route_has_its_handler_and_every_task_its_function() -> None:
    from importlib import import_module

    for endpoint in ENDPOINTS:
        assert hasattr(Service, endpoint.handler), endpoint
        assert not endpoint.task or endpoint.task in TASKS
    assert set(JOB_TASKS) <= set(TASKS)
    for name, module in TASKS.items():
        assert callable(getattr(import_module(module), name))


def test_names_of_operations_are_unique() -> None:
    names = [operation["operationId"] for methods in document()["paths"].values() for operation in methods.values()]
    assert len(names) == len(set(names))


def test_samples_are_examples_of_the_documentation() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(SAMPLES)
    for name in SAMPLES:
        assert (FOLDER / name).read_bytes() == (EXAMPLES / name).read_bytes(), name


# Games


def test_every_card_of_the_gallery_has_a_picture_and_can_be_played(client: Client) -> None:
    cards = client.get("/api/v1/gallery").json
    assert len(cards) == len(gallery()) > 60
    for card in cards:
        state = client.post("/state", {"game": card["statement"]})
        assert state.status == 200, (card["title"], state.body)
        assert state.json["svg"].startswith("<svg"), card["title"]
        assert state.json["over"] or state.json["legal"], card["title"]
        assert card["words"].endswith("."), card["title"]


def test_a_thumbnail_is_a_picture_that_may_not_run_anything(client: Client) -> None:
    answer = client.get("/api/v1/thumbnail?target=hex%3A4")
    assert answer.status == 200
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'"
    assert client.get("/api/v1/thumbnail?target=hex%3A5").status == 404


def test_a_state_tells_who_moves_and_how(client: Client) -> None:
    told = client.post("/state", {"game": {"target": "tictactoe"}, "moves": ["b2"]}).json
    assert told["roles"] == ["x", "o"]
    assert told["turn"] == ["o"]
    assert {"move": "a1", "role": "o"} in told["legal"]
    assert len(told["legal"]) == 8
    assert 'data-move="a1"' in told["svg"]
    assert told["over"] is False


def test_a_game_that_is_over_tells_its_end(client: Client) -> None:
    told = client.post("/state", {"game": {"target": "tictactoe"}, "moves": ["a1", "a2", "b1", "b2", "c1"]}).json
    assert (told["over"], told["ending"], told["scores"]) == (True, "x wins.", ["1", "-1"])
    assert told["legal"] == []


def test_roles_that_move_at_once_are_told_apart(client: Client) -> None:
    told = client.post("/state", {"game": {"target": "gdl:matchingpennies"}}).json
    assert len(told["turn"]) == 2
    assert {each["role"] for each in told["legal"]} == set(told["turn"])
    first = [next(each["move"] for each in told["legal"] if each["role"] == role) for role in told["turn"]]
    after = client.post("/state", {"game": {"target": "gdl:matchingpennies"}, "moves": [first]})
    assert after.status == 200
    assert after.json["moves"] == [first]


def test_outcomes_of_chance_have_their_probabilities(client: Client) -> None:
    told = client.post("/state", {"game": {"target": "gdl:orchard"}}).json
    assert told["turn"] == ["chance"]
    assert all("/" in each["probability"] for each in told["legal"])


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"game": {"target": "tictactoe"}, "moves": ["z9"]}, "move 1: 'z9' is not a legal move here"),
        ({"game": {"target": "tictactoe"}, "moves": "b2"}, "not a list"),
        ({"game": {"target": "chess"}}, "unknown game 'chess'"),
        ({"game": {}}, "expected a game"),
        ({}, "expected a game"),
        ({"game": {"text": "(role x", "format": "rulesheet"}}, "text:1:"),
        ({"game": {"text": "x", "format": "poem"}}, "no format 'poem'"),
        ({"game": {"sample": "../server.py"}}, "no sample"),
    ],
)
def test_a_wrong_question_is_answered_by_one_line(client: Client, asked: Any, words: str) -> None:
    answer = client.post("/state", asked)
    assert answer.status == 400
    assert words in answer.json["error"]
    assert "\n" not in answer.json["error"]


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_a_pasted_text_is_recognised_by_its_content(client: Client, name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    told = client.post("/recognise", {"text": text, "name": "whatever"}).json
    kinds = {".kif": "rulesheet", ".qcir": "formula", ".qlp": "program", ".json": "network", ".cgt": "sum"}
    kinds |= {".sgf": "record", ".graph": "game", ".efg": "game", ".nfg": "game"}
    assert told["kind"] == kinds[Path(name).suffix]
    assert client.post("/state", {"game": told["statement"]}).status == 200


@pytest.mark.parametrize("text", ["hex:5", "{5|-5} + *", "domineering:..|..", "gdl:nim:1,2"])
def test_a_pasted_name_is_a_target(client: Client, text: str) -> None:
    assert client.post("/recognise", {"text": f" {text}\n"}).json["statement"] == {"target": text}


# Answers


def test_a_reply_tells_its_certainty(client: Client) -> None:
    told = client.run(task="reply", game={"target": "nim:3,4,5"}, moves=[], seconds=5)["result"]
    assert told["proved"]
    assert (told["move"], told["value"]) == ("0,2", "1")


@pytest.mark.parametrize("player", ["exact", "mac-ucb", "uct", "random"])
def test_players_of_the_arena_reply(client: Client, player: str) -> None:
    told = client.run(task="reply", game={"target": "tictactoe"}, moves=["b2", "a1"], player=player, seconds=30)
    assert told["result"]["move"] in {"b1", "c1", "a2", "c2", "a3", "b3", "c3"}


def test_an_analysis_grades_moves_for_who_moves(client: Client) -> None:
    told = client.run(task="analyse", game={"target": "tictactoe"}, moves=["a1"], seconds=10)["result"]
    assert told["complete"]
    by_name = {move["move"]: move for move in told["moves"]}
    assert by_name["b2"]["words"] == "a draw"
    assert by_name["b1"]["words"] == "x wins"
    assert by_name["b1"]["grade"] == -1.0 < by_name["b2"]["grade"] == 0.0
    assert (by_name["b1"]["colour"], by_name["b2"]["colour"]) == ("first", "draw")
    assert told["best"] == "b2"


def test_what_is_only_estimated_is_not_called_proved(client: Client) -> None:
    told = client.run(task="analyse", game={"target": "connect:6,7,4"}, seconds=2)["result"]
    assert not told["complete"]
    assert any(not move["proved"] and move["words"].startswith(("about", "between", "not")) for move in told["moves"])


def test_why_a_move_fails_is_told_by_the_reply(client: Client) -> None:
    told = client.run(task="why", game={"target": "tictactoe"}, moves=["a1"], move="b1")["result"]
    assert told["proved"]
    assert "x wins" in told["words"]
    assert told["reply"] == told["line"][0]


def test_a_text_with_an_error_has_its_place(client: Client) -> None:
    told = client.post("/lint", {"text": "(role x)\n(<= (legal ?p go)\n  (true ?q))"}).json
    assert told["format"] == "rulesheet"
    assert {"severity": "error", "line": 2, "column": 12}.items() <= told["findings"][-1].items()
    assert told["findings"][0]["line"] is None  # about the sheet as a whole
    assert client.post("/lint", {"text": "#QCIR-G14\nexists(x)\noutput(y)\n"}).json["findings"][0]["line"] == 3
    assert client.post("/lint", {"text": (FOLDER / "bakery.qlp").read_text()}).json["findings"] == []


@pytest.mark.parametrize(
    ("game", "form", "begins"),
    [
        ({"target": "nim:1,2"}, "graph", '{"format":'),
        ({"target": "nim:1,2"}, "qcir", "#QCIR-G14"),
        ({"target": "nim:1,2"}, "qdimacs", "c "),
        ({"target": "nim:1,2"}, "qlp", "// "),
        ({"sample": "choices.qcir"}, "sum", "#"),
        ({"sample": "toss.efg"}, "efg", "EFG 2 R"),
        ({"sample": "pennies.nfg"}, "nfg", "NFG 1 R"),
        ({"target": "gdl:matchingpennies"}, "network", "{"),
        ({"target": "gdl:matchingpennies"}, "xcsp", "<"),
        ({"sample": "bakery.qlp"}, "lp", "\\"),
        ({"sample": "bakery.qlp"}, "mps", "*"),
    ],
)
def test_a_game_is_written_in_every_form(client: Client, game: Any, form: str, begins: str) -> None:
    answer = client.post("/encode", {"game": game, "form": form})
    assert answer.status == 200, answer.body
    assert answer.json["text"].startswith(begins)


def test_a_program_is_drawn_as_a_polytope(client: Client) -> None:
    game = {"sample": "threevariables.qlp"}
    assert "polytope" in client.post("/picture", {"game": game}).json["offered"]
    assert client.post("/picture", {"game": game, "what": "polytope"}).json["svg"].startswith("<svg")
    assert client.post("/picture", {"game": game, "what": "thermograph"}).status == 400


@pytest.mark.parametrize("what", ["board", "tree", "graph", "strategy"])
def test_every_game_is_drawn_in_four_ways(client: Client, what: str) -> None:
    told = client.post("/picture", {"game": {"target": "nim:1,2"}, "what": what, "moves": ["1,1"], "depth": 2})
    assert told.status == 200, told.body
    assert told.json["svg"].startswith("<svg")
    assert {"board", "tree", "graph", "strategy"} <= set(told.json["offered"])


def test_a_rulesheet_is_taken_apart(client: Client) -> None:
    told = client.run(task="decompose", game={"target": "gdl:nim:1,2"}, seconds=10)["result"]
    assert [part["described"] for part in told["parts"]] == [["(size a ·)"], ["(size b ·)"]]
    assert (told["common"], told["over"]) == (["(turn ·)"], "all")
    assert client.run(task="decompose", game={"target": "hex:3"}, seconds=10)["error"]["error"].startswith("no rule")


def test_a_rulesheet_is_measured_and_its_symmetries_found(client: Client) -> None:
    assert client.post("/symmetries", {"game": {"target": "gdl:tictactoe"}}).json["order"] == 8
    told = client.run(task="bench", game={"target": "gdl:nim"}, seconds=5)["result"]
    assert told["kind"] == "ground"
    assert client.post("/symmetries", {"game": {"target": "hex:3"}}).status == 400


# Sums and Go


def test_a_sum_of_boards_and_brackets_is_worked_out(client: Client) -> None:
    told = client.post("/sum", {"terms": ["{5|-5}", "domineering:3x3", "{3||2|-1}"]}).json
    assert [term["temperature"] for term in told["terms"]] == ["5", "1", "1"]
    assert told["whole"]["mean"] == "2"
    assert told["scores"]["left_first"] == "6"
    assert told["best"]["left"]["term"] == 0
    lowest = min(int(row["upper"]) for row in told["bounds"] if row["starts"] == "left")
    assert lowest >= 6
    played = client.post("/state", {"game": {"target": told["play"]}})
    assert played.status == 200
    assert played.json["roles"] == ["left", "right"]


def test_boards_of_one_ruleset_are_played_on_boards(client: Client) -> None:
    told = client.post("/sum", {"terms": ["toads:x.o", "toads:xx.oo"]}).json
    assert told["play"] == "toads:x.o+xx.oo"
    assert client.post("/state", {"game": {"target": told["play"]}}).json["kind"] == "board"


@pytest.mark.parametrize("terms", [[], ["{5|"], [""], "x", [1], ["domineering:..|."], ["*"] * 31])
def test_a_wrong_sum_is_refused(client: Client, terms: Any) -> None:
    assert client.post("/sum", {"terms": terms}).status == 400


def test_the_calculator_keeps_names_and_goes_on_after_a_wrong_line(client: Client) -> None:
    lines = ["H = {0|H}", "H + H", "G +", "misere *2 + *2", "H < 1/1024"]
    told = client.post("/calculate", {"lines": lines}).json["answers"]
    assert [answer["line"] for answer in told] == lines
    assert [answer.get("said") for answer in told[:2]] == ["H = over", "over"]
    assert "said" not in told[2] and told[2]["error"]
    assert told[3]["said"].startswith("*[3,2], genus") and told[4]["said"] == "H < 1/1024: true"


@pytest.mark.parametrize("lines", [[], "G", [1], ["*"] * 101, ["1" * 2001]])
def test_what_is_no_list_of_lines_is_refused(client: Client, lines: Any) -> None:
    assert client.post("/calculate", {"lines": lines}).status == 400


def test_a_record_is_told_region_by_region(client: Client) -> None:
    told = client.post("/go", {"game": {"sample": "thirteen.sgf"}}).json
    assert [region["name"] for region in told["regions"]] == ["a", "b", "c"]
    assert told["move"] == "G7"
    assert [step["region"] for step in told["order"]] == ["b", "b", "a"]
    assert "CR[gg]" in told["sgf"]
    again = client.post("/go", {"game": {"text": told["sgf"]}}).json
    assert again["scores"] == told["scores"]


def test_moves_after_a_record_lead_to_what_was_announced(client: Client) -> None:
    """The order of best play keeps its score, move by move."""
    game = {"sample": "thirteen.sgf"}
    first = client.post("/go", {"game": game}).json
    assert [(step["mover"], step["move"]) for step in first["order"]] == [
        ("black", "G7"),
        ("white", "H7"),
        ("black", "H10"),
    ]
    assert {step["score"] for step in first["order"]} == {first["scores"]["black"][0]}
    after = client.post("/go", {"game": game, "moves": ["G7", "H7", "H10"]}).json
    assert after["order"] == []
    assert set(after["scores"]["white"]) == set(first["scores"]["black"])
    assert after["to_move"] == "white"


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        (["Z9"], "no point"),
        (["G5"], "where a stone stands"),
        (["A1"], "marks as territory"),
        ("G7", "not a list"),
        ([1], "not a list"),
    ],
)
def test_a_move_that_cannot_follow_a_record_is_refused(client: Client, moves: Any, words: str) -> None:
    answer = client.post("/go", {"game": {"sample": "thirteen.sgf"}, "moves": moves})
    assert answer.status == 400
    assert words in answer.json["error"]


def test_a_record_is_told_after_any_of_its_moves(client: Client) -> None:
    text = "(;SZ[5]AB[ba][bb][bc][bd][be]AW[da][db][dc][dd][de];B[ca];W[cb])"
    safe = "safe=B5/D5"  # then there is little to play out
    whole = client.post("/go", {"game": {"text": text, "options": safe}}).json
    assert (whole["move_number"], whole["length"]) == (2, 2)
    early = client.post("/go", {"game": {"text": text, "options": f"move=1,{safe}"}}).json
    assert (early["move_number"], early["length"], early["to_move"]) == (1, 2, "white")
    again = client.post("/go", {"game": {"text": text, "options": f"move=1,{safe}"}, "moves": ["C4"]}).json
    assert again["stones"] == whole["stones"]


@pytest.mark.parametrize("options", ["safe=B5/D5", "area,safe=B5/D5"])
def test_a_saved_record_keeps_the_score_of_captured_stones(client: Client, options: str) -> None:
    text = "(;SZ[5]AB[ba][bb][bc][bd][be][ab]AW[da][db][dc][dd][de][ac];B[ad])"
    told = client.post("/go", {"game": {"text": text, "options": options}}).json
    again = client.post("/go", {"game": {"text": told["sgf"], "options": options}}).json
    assert told["stones"].count("o") == 5  # the sixth is captured
    assert told["scores"] is not None
    assert again["scores"] == told["scores"]


def test_a_saved_record_is_the_game_with_remarks(client: Client) -> None:
    text = "(;SZ[5]PB[Honinbo]AB[ba][bb][bc][bd][be]AW[da][db][dc][dd][de];B[ca]C[Sente?];W[cb])"
    safe = "safe=B5/D5"
    whole = client.post("/go", {"game": {"text": text, "options": safe}}).json
    assert whole["sgf"].count(";") == 3 and "PB[Honinbo]" in whole["sgf"] and "C[Sente?]" in whole["sgf"]
    assert "best order of play" in whole["sgf"]
    early = client.post("/go", {"game": {"text": text, "options": f"move=1,{safe}"}, "moves": ["C3", "C4"]}).json
    # What was tried is a variation beside the game's own move, and the best order of play follows it.
    assert ";W[cb])" in early["sgf"] and ";W[cc]" in early["sgf"] and ";B[cb]" in early["sgf"]
    again = client.post("/go", {"game": {"text": early["sgf"], "options": safe}}).json
    assert (again["stones"], again["length"]) == (whole["stones"], 2)
    followed = client.post("/go", {"game": {"text": text, "options": safe}, "moves": ["C3", "pass", "C2"]}).json
    again = client.post("/go", {"game": {"text": followed["sgf"], "options": safe}}).json
    assert (again["stones"], again["scores"], again["length"]) == (followed["stones"], followed["scores"], 5)


def test_chains_are_alive_by_somebodys_word(client: Client) -> None:
    text = "(;SZ[3]AB[aa][ab][ac]AW[ca][cb][cc])"
    unmarked = client.post("/go", {"game": {"text": text}}).json
    marked = client.post("/go", {"game": {"text": text, "options": "safe=A3/C3"}}).json
    statuses = [[region["status"] for region in told["regions"]] for told in (unmarked, marked)]
    assert statuses == [["refused"], ["exact"]]
    assert client.post("/go", {"game": {"text": text, "options": "safe=Z9"}}).status == 400


# The arena


def test_standings_are_told_while_a_tournament_runs(tmp_path: Path) -> None:
    from tests.web.serving import served
    from zermelo.cli import main
    from zermelo.web.server import Settings

    plan = tmp_path / "small.toml"
    pairing = '[[pairing]]\ngame = "nim:1,2"\nplayers = ["random", "uct"]\ngames = 4\nclock = "5sims"\n'
    plan.write_text(pairing, encoding="utf-8")
    with served(Settings(arena=plan)) as client:
        assert client.get("/api/v1/arena").json == {"plan": "small.toml", "pairings": []}
        assert main(["arena", "run", str(plan), "--workers", "1", "--quiet"]) == 0
        [told] = client.get("/api/v1/arena").json["pairings"]
        assert (told["finished"], told["planned"]) == (4, 4)
        assert sum(player["score"] for player in told["result"]["players"]) == 1
        assert client.get("/api/v1/status").json["arena"]


def test_without_a_tournament_there_are_no_standings(client: Client) -> None:
    told = client.get("/api/v1/arena")
    assert (told.status, told.json) == (200, {"plan": None, "pairings": []}), (
        "browsers log any other status as an error"
    )
