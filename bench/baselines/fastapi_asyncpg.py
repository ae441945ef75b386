"""FastAPI on asyncpg: a statement a request, from a pool."""

import base64
import hashlib
import json
import os
from contextlib import asynccontextmanager
from datetime import datetime, timezone
from uuid import UUID, uuid4

import asyncpg
import jwt
from fastapi import FastAPI, Header, HTTPException, Request

from models import CallState, Transcript, TranscriptCreate, UsageEvent, UsageEventCreate

SECRET = os.environ.get("LIVEKIT_API_SECRET", "")


@asynccontextmanager
async def lifespan(app: FastAPI):
    app.state.pool = await asyncpg.create_pool(os.environ["DATABASE_URL"], min_size=10, max_size=10)
    yield
    await app.state.pool.close()


app = FastAPI(lifespan=lifespan)


@app.post("/api/usage/events", status_code=201)
async def log_usage_event(event: UsageEventCreate) -> UsageEvent:
    row = await app.state.pool.fetchrow(
        """insert into usage_events
             (id, session_id, user_id, agent_id, provider, event_type, quantity, unit_cost, total_cost, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning *""",
        uuid4(), event.session_id, event.user_id, event.agent_id, event.provider, event.event_type,
        event.quantity, event.unit_cost, event.total_cost, datetime.now(timezone.utc),
    )
    return UsageEvent(**row)


@app.post("/api/sessions/by-room/{room_name}/transcripts")
async def add_transcript(room_name: str, transcript: TranscriptCreate) -> Transcript:
    async with app.state.pool.acquire() as connection, connection.transaction():
        session = await connection.fetchrow("select id from sessions where room_name = $1", room_name)
        if session is None:
            raise HTTPException(404)
        row = await connection.fetchrow(
            "insert into transcripts (id, session_id, speaker, content, timestamp) values ($1, $2, $3, $4, $5) returning *",
            uuid4(), session["id"], transcript.speaker, transcript.content,
            transcript.timestamp or datetime.now(timezone.utc),
        )
    return Transcript(**row)


@app.get("/api/calls/{call_id}/status")
async def call_status(call_id: UUID) -> CallState:
    row = await app.state.pool.fetchrow(
        """select id as call_id, status, room_name, call_status, call_direction, outbound_phone_number,
             started_at, ended_at, duration from sessions where id = $1 and call_status is not null""",
        call_id,
    )
    if row is None:
        raise HTTPException(404)
    return CallState(**row)


@app.post("/api/media/webhook")
async def receive(request: Request, authorization: str = Header()) -> dict[str, str]:
    body = await request.body()
    try:
        claims = jwt.decode(authorization, SECRET, algorithms=["HS256"])
    except jwt.InvalidTokenError:
        raise HTTPException(401)
    if claims.get("sha256") != base64.b64encode(hashlib.sha256(body).digest()).decode():
        raise HTTPException(401)
    event = json.loads(body)
    await app.state.pool.execute(
        "insert into media_events (id, body, room_name, received_at) values ($1, $2, $3, $4) on conflict do nothing",
        event["id"], body.decode(), event.get("room", {}).get("name"), datetime.now(timezone.utc),
    )
    return {"status": "ok"}
