// Express on pg: a statement a request, from a pool.
import { randomUUID } from 'node:crypto';
import express from 'express';
import pg from 'pg';
import { z } from 'zod';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const name = z.string().min(1).max(255);
const amount = z.union([
  z.number(),
  z
    .string()
    .max(64)
    .regex(/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/),
]);
const UsageEvent = z.object({
  session_id: name,
  user_id: name,
  agent_id: name.nullish(),
  provider: name,
  event_type: z.enum(['stt_minutes', 'llm_tokens', 'tts_characters']),
  quantity: amount,
  unit_cost: amount,
  total_cost: amount,
});

const app = express();
app.use(express.json());
app.post('/api/usage/events', async (request, response) => {
  const { success, data, error } = UsageEvent.safeParse(request.body);
  if (!success) return response.status(422).json({ detail: error.issues });
  const { rows } = await pool.query(
    `insert into usage_events
       (id, session_id, user_id, agent_id, provider, event_type, quantity, unit_cost, total_cost, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now()) returning *`,
    [
      randomUUID(),
      data.session_id,
      data.user_id,
      data.agent_id,
      data.provider,
      data.event_type,
      data.quantity,
      data.unit_cost,
      data.total_cost,
    ],
  );
  response.status(201).json(rows[0]);
});
app.listen(Number(process.env.PORT), '127.0.0.1');
