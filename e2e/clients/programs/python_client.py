"""A program of a customer, on a client made by openapi-python-client."""

import os

from generated_client import AuthenticatedClient
from generated_client.api.agents import create_agent
from generated_client.api.calls import end_call, get_call, get_call_status, list_calls, start_outbound_call
from generated_client.models import Agent, AgentCreate, CallState, CallStatus, CallSummaryPage, EndReason, ErrorCode
from generated_client.models import Failure, OutboundCall, OutboundCallStarted

client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["API_KEY"])

agent = create_agent.sync(client=client, body=AgentCreate(name="Front desk", user_id="user-1"))
assert isinstance(agent, Agent)
call = start_outbound_call.sync(client=client, body=OutboundCall(agent_id=agent.id, phone_number="+15005550100"))
assert isinstance(call, OutboundCallStarted)

status: CallStatus | None = CallStatus.RINGING
while status == CallStatus.RINGING:
    state = get_call_status.sync(call.call_id, client=client)
    assert isinstance(state, CallState)
    status = state.call_status
assert status == CallStatus.ANSWERED

ended = end_call.sync(call.call_id, client=client)
assert isinstance(ended, CallState) and ended.call_status == CallStatus.COMPLETED
page = list_calls.sync(client=client, limit=1)
assert isinstance(page, CallSummaryPage) and page.items[0].end_reason == EndReason.ENDED_BY_USER
missing = get_call.sync("unknown", client=client)
assert isinstance(missing, Failure) and missing.code == ErrorCode.NOT_FOUND
print("ok")
