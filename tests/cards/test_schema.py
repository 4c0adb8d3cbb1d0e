import json

import jsonschema

from cards.card import seal
from cards.schema import card_schema
from tests.support.builders import acontract, afile, aproof


def validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(card_schema())


def test_the_schema_is_valid_itself() -> None:
    jsonschema.Draft202012Validator.check_schema(card_schema())


def test_a_card_with_evidence_obeys_the_schema() -> None:
    written = afile(evidence=(aproof(),)).model_dump_json(by_alias=True, exclude_defaults=True)
    validator().validate(json.loads(written))


def test_a_card_with_an_unknown_member_does_not_obey_it() -> None:
    written = json.loads(
        seal(acontract()).file.model_dump_json(by_alias=True, exclude_defaults=True)
    )
    written["contract"]["cookie"] = "sid=1"
    assert not validator().is_valid(written)
