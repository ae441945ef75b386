"""What schemathesis checks beside its own checks."""

import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance

AMOUNT = {"decimal_parsing", "decimal_max_places", "decimal_max_digits", "finite_number"}

# What is refused although it fits the published schema, because JSON Schema has no words for the rule.
RULES = {
    # Lengths that are possible in the number's country.
    "phone_number": {"string_pattern_mismatch"},
    # At most 38 digits, 18 of them after the point.
    "quantity": AMOUNT,
    # In a batch not without the other.
    "unit_cost": AMOUNT | {"missing"},
    "total_cost": AMOUNT,
    # Neither is negative. A price has an amount, unless it is withdrawn.
    "monthly_limit": AMOUNT | {"greater_than_equal"},
    "price": AMOUNT | {"greater_than_equal", "missing", "value_error"},
    # Only of the line, and not beside a model; the same key and date once.
    "prefix": {"value_error"},
    "model": {"value_error"},
    "billing_increment": {"value_error"},
    "valid_from": {"value_error"},
    # A number that an agent of the user has.
    "from_number": {"string_pattern_mismatch", "value_error"},
    # Within the settings, which may be lower than the published maximum.
    "ringing_timeout_s": {"less_than_equal"},
    "max_duration_s": {"less_than_equal"},
    # One of the two.
    "ids": {"value_error"},
    "failed_since": {"value_error"},
    # http or https, without credentials.
    "url": {"url_parsing"},
    "callback_url": {"url_parsing"},
    # Given by the page before, and opaque.
    "cursor": {"value_error"},
    # Of a batch: none only under a key.
    "events": {"too_short"},
    # Used before, for another body.
    "idempotency-key": {"value_error"},
    # Of a key: named for the role `user`, and for no other. Of a batch: the same in all of its events.
    "user_id": {"missing", "value_error"},
    # Not before the start of what it ends.
    "ended_at": {"datetime_before_start"},
    "end_date": {"date_before_start"},
    "expires_at": {"datetime_future"},
}
# Text that a database cannot hold, and objects beyond 32 levels or 256 KiB.
STORAGE = {"string_nul", "string_unicode", "too_deep", "too_long", "finite_number"}


@schemathesis.check
def valid_data_acceptance(ctx, response, case):
    """Schemathesis' own check, save for the rules above."""
    if response.status_code == 422 and all(is_ruled(problem) for problem in response.json()["detail"]):
        return None
    return positive_data_acceptance(ctx, response, case)


def is_ruled(problem):
    # Names that would reach the prototype of every object.
    if problem["type"] == "json_invalid" and "__proto__" in problem["msg"]:
        return True
    # Text for which a schema names no columns.
    if problem["type"] == "csv_invalid":
        return True
    # The field, wherever it is: in an event of a batch its name comes last.
    name = next((part for part in reversed(problem["loc"][1:]) if isinstance(part, str)), None)
    return problem["type"] in STORAGE or problem["type"] in RULES.get(name, ())
