"""FastAPI on SQLAlchemy's ORM: a session and a transaction a request."""

import os
from datetime import datetime, timezone
from decimal import Decimal
from uuid import UUID, uuid4

from fastapi import Depends, FastAPI
from sqlalchemy import DateTime, Numeric
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from models import UsageEvent, UsageEventCreate

engine = create_async_engine(
    os.environ["DATABASE_URL"].replace("postgres://", "postgresql+asyncpg://"), pool_size=10, max_overflow=0
)
make_session = async_sessionmaker(engine, expire_on_commit=False)


class Base(DeclarativeBase):
    pass


class UsageEventRow(Base):
    __tablename__ = "usage_events"
    id: Mapped[UUID] = mapped_column(primary_key=True)
    session_id: Mapped[str]
    user_id: Mapped[str]
    agent_id: Mapped[str | None]
    provider: Mapped[str]
    event_type: Mapped[str]
    quantity: Mapped[Decimal] = mapped_column(Numeric)
    unit_cost: Mapped[Decimal] = mapped_column(Numeric)
    total_cost: Mapped[Decimal] = mapped_column(Numeric)
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))


async def get_session():
    async with make_session() as session:
        yield session


app = FastAPI()


@app.post("/api/usage/events", status_code=201)
async def log_usage_event(event: UsageEventCreate, session: AsyncSession = Depends(get_session)) -> UsageEvent:
    row = UsageEventRow(id=uuid4(), created_at=datetime.now(timezone.utc), **event.model_dump())
    session.add(row)
    await session.commit()
    await session.refresh(row)
    return UsageEvent.model_validate(row, from_attributes=True)
