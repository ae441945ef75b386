-- The latency of each turn of a conversation. Numbered by the worker, so that one sent again is not counted twice.
create table turns (
  id uuid primary key,
  session_id uuid not null references sessions (id),
  turn_index integer not null,
  model text,
  end_of_speech_at timestamptz(3) not null,
  transcript_ms integer,
  first_token_ms integer,
  first_audio_ms integer,
  created_at timestamptz(3) not null,
  unique (session_id, turn_index)
);

-- Histograms of the latencies, written with the turns: a report reads as many rows however many turns there were.
-- An absent agent or model is ''. Buckets are those of histogram.ts.
create table turn_rollups (
  user_id text not null,
  day date not null,
  agent_id text not null,
  model text not null,
  metric text not null check (metric in ('transcript', 'first_token', 'first_audio')),
  bucket smallint not null,
  turns bigint not null,
  total_ms bigint not null,
  primary key (user_id, day, agent_id, model, metric, bucket)
);
