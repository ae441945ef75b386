"""What schemathesis checks beside its own checks."""

import schemathesis
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

AMOUNT = {"decimal_parsing", "decimal_max_places", "decimal_max_digits", "finite_number"}

# Refusals of input that fits the published schema, because JSON Schema cannot express the rule.
RULES = {
    # Lengths that are possible in the number's country.
    "phone_number": {"string_pattern_mismatch", "value_error"},
    "number": {"string_pattern_mismatch"},
    # At most 38 digits, 18 of them decimals.
    "quantity": AMOUNT,
    # In a batch, neither is allowed without the other.
    "unit_cost": AMOUNT | {"missing"},
    "total_cost": AMOUNT,
    # Neither may be negative. A price has an amount, unless it is withdrawn.
    "monthly_limit": AMOUNT | {"greater_than_equal"},
    "cost_per_minute": AMOUNT | {"greater_than_equal"},
    "price": AMOUNT | {"greater_than_equal", "missing", "value_error"},
    # Only for the phone line, and not with a model; the same key and date only once.
    "prefix": {"value_error"},
    "model": {"value_error"},
    "billing_increment": {"value_error"},
    "valid_from": {"value_error"},
    # A number assigned to one of the user's agents.
    "from_number": {"string_pattern_mismatch", "value_error"},
    # Within the settings, which may be lower than the published maximum.
    "ringing_timeout_s": {"less_than_equal"},
    "max_duration_s": {"less_than_equal"},
    # Exactly one of the two.
    "ids": {"value_error"},
    "failed_since": {"value_error"},
    # http or https, without credentials, and not on a private address.
    "url": {"url_parsing", "url_not_public"},
    "callback_url": {"url_parsing", "url_not_public"},
    # From the previous page, and opaque.
    "cursor": {"value_error"},
    # In a batch: empty only with a key.
    "events": {"too_short"},
    # Used before, with another body.
    "idempotency-key": {"value_error"},
    # For a key: required for the role `user`, and refused for others. In a batch: the same in all of its events.
    "user_id": {"missing", "value_error"},
    # Not before the start.
    "ended_at": {"datetime_before_start"},
    "end_date": {"date_before_start"},
    "expires_at": {"datetime_future"},
    # Versions that the agent has, each once, with weights that sum to 100; and a suite.
    "arms": {"value_error"},
    "version": {"value_error"},
    "agent_version": {"value_error"},
    "gate": {"value_error"},
    # Only for a transfer that the agent attends.
    "briefing": {"value_error"},
    # A message of this chat.
    "to_message": {"value_error"},
    # A scenario in YAML or JSON. Scenarios and suites of the user, either of them, and few conversations in all.
    "text": {"value_error"},
    "texts": {"value_error"},
    # None with texts.
    "cassette": {"value_error"},
    # Extractors of the user.
    "extractor": {"value_error"},
    "extractors": {"value_error"},
    "agent_id": {"value_error"},
    "scenarios": {"value_error"},
    "suite": {"value_error"},
    "runs": {"value_error"},
    # Calls of the agent in which the caller has said something; and a version that it has.
    "calls": {"value_error"},
    "call_id": {"value_error"},
    "base_version": {"value_error"},
    # Of the audio of a segment, which is whole pages of Ogg; its end follows its beginning.
    "sha256": {"value_error"},
    "audio": {"value_error"},
    "seq": {"value_error"},
    "to_ms": {"value_error"},
    # Required for some states of a recording.
    "started_at": {"missing"},
    "segments": {"missing"},
    # Of dial policies: windows that open, places and days that exist, and no contradictions. Whom a call is to.
    "to": {"value_error"},
    "date": {"value_error"},
    "count": {"value_error"},
    "country": {"value_error"},
    "region": {"value_error"},
    "max_attempts": {"value_error"},
    "requires_consent": {"value_error"},
    "time_zone": {"value_error"},
    # The agent, the campaign or the purpose of a suppression; a consent is not of the future.
    "scope_id": {"value_error"},
    "obtained_at": {"value_error"},
    # Of scheduled calls: the future, hours that clocks show, and one way of saying when. Whom to call, in writing.
    "at": {"value_error"},
    "window": {"value_error"},
    "earliest": {"value_error"},
    "latest": {"value_error"},
    "if_missed": {"value_error"},
    "date_time": {"value_error"},
    # Numbers that agents of the user have; outcomes that do not count as reached; what a campaign may cost.
    "from_numbers": {"string_pattern_mismatch", "value_error"},
    "on": {"value_error"},
    "budget": AMOUNT | {"greater_than_equal"},
    # Somebody in a browser has no number to suppress.
    "opted_out": {"value_error"},
    # One that has models of the kind that is checked.
    "provider": {"enum"},
    # A byte for each side and each 100 ms of a segment, and pauses within it; and a browser cannot be referred.
    "levels": {"value_error"},
    "pauses": {"value_error"},
    "type": {"value_error"},
}
# Text that a database cannot store, objects of more than 32 levels or 256 KiB, and numbers that would lose digits.
STORAGE = {"string_nul", "string_sealed", "string_unicode", "too_deep", "too_long", "finite_number", "number_precision"}


@schemathesis.check
def valid_data_acceptance(ctx, response, case):
    """Schemathesis' own check, save for the rules above."""
    if response.status_code == 422 and all(is_ruled(problem) for problem in response.json()["detail"]):
        return None
    # `If-Match` of another state.
    if response.status_code == 412:
        return None
    return positive_data_acceptance(ctx, response, case)


@schemathesis.check
def invalid_data_rejection(ctx, response, case):
    """Schemathesis' own check, save for files, which are taken line by line and refused in the answer."""
    if case.operation.path.endswith("/recipients") and response.status_code == 200 and response.json().get("refused"):
        return None
    # Lists that are too long as a whole are refused before they are read.
    if response.status_code == 413:
        return None
    return negative_data_rejection(ctx, response, case)


def is_ruled(problem):
    # Names that would reach the prototype of every object.
    if problem["type"] == "json_invalid" and "__proto__" in problem["msg"]:
        return True
    # Text for which a schema defines no columns.
    if problem["type"] == "csv_invalid":
        return True
    # The schema of an extractor, and the weights of its fields, are refused with the place inside of them.
    if problem["loc"][1:2] in (["schema"], ["weights"]) and problem["type"] == "value_error":
        return True
    # The field, wherever it is: in an event of a batch its name comes last.
    name = next((part for part in reversed(problem["loc"][1:]) if isinstance(part, str)), None)
    return problem["type"] in STORAGE or problem["type"] in RULES.get(name, ())

# Files of lines are texts to the description.
schemathesis.serializer.alias("application/x-ndjson", "text/plain")
