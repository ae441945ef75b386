"""What both Python baselines accept and answer: validated as the service does it, by pydantic."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field

Name = Annotated[str, Field(min_length=1, max_length=255)]
Amount = Annotated[Decimal, Field(max_digits=38, decimal_places=18)]


class UsageEventCreate(BaseModel):
    session_id: Name
    user_id: Name
    agent_id: Name | None = None
    provider: Name
    event_type: Literal["stt_minutes", "llm_tokens", "tts_characters"]
    quantity: Amount
    unit_cost: Amount
    total_cost: Amount


class UsageEvent(UsageEventCreate):
    id: UUID
    created_at: datetime


class TranscriptCreate(BaseModel):
    speaker: Literal["USER", "AGENT", "SYSTEM"] = "USER"
    content: Annotated[str, Field(min_length=1, max_length=65536)]
    timestamp: datetime | None = None


class Transcript(BaseModel):
    id: UUID
    session_id: UUID
    speaker: str
    content: str
    timestamp: datetime


class CallState(BaseModel):
    call_id: UUID
    status: str
    room_name: str
    call_status: str | None
    call_direction: str | None
    outbound_phone_number: str | None
    started_at: datetime | None
    ended_at: datetime | None
    duration: float | None
