import type { Static } from 'typebox';
import type { Batch } from '../../db/retention-batches.ts';
import { AppError } from '../../lib/errors.ts';
import { bucketOf, middleOf } from '../../lib/histogram.ts';
import { newId } from '../../lib/ids.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import type { Platform } from '../../platform.ts';
import { assertTakesReports } from '../sessions/sessions.ts';
import type { Pressed } from './digits.ts';
import { MAX_TURNS, type NewTurn, type TurnsCreate } from './schema.ts';
import {
  type BucketedTurn,
  deleteOldTurns,
  deleteTurnRollups,
  deleteTurnsOf,
  insertTurns,
  type LatencyRow,
  latencies,
  listInterruptions,
  listTurns,
  type TurnFilter,
  type TurnGroup,
} from './store.ts';
import { createToolCalls } from './tool-calls.ts';

export type { Pressed };
export type Turns = ReturnType<typeof createTurns>;

/** Maximum groups per report; those with the fewest turns are omitted. */
export const MAX_GROUPS = 1_000;

type Deps = Pick<Platform, 'clock'> & Parameters<typeof createToolCalls>[0];

/** Latencies of the turns of a conversation, and reports on them. */
export function createTurns({ clock, ...deps }: Deps) {
  const { db, agents, sessions } = deps;
  const toolCalls = createToolCalls(deps);

  /**
   * Records turns, and calls of tools; known ones are ignored. Throws `not_found`, `session_ended` more than a day
   * after the end, and `InvalidFields`.
   */
  async function add(id: string, { turns = [], tool_calls = [] }: Static<typeof TurnsCreate>, caller: string | null) {
    const session = await sessions.get(id, caller);
    const now = clock.now();
    assertTakesReports(session, now);
    if (tool_calls.length > 0) await toolCalls.record(session, tool_calls);
    if (turns.length === 0) return { added: 0, known: 0 };
    const added = await insertTurns(
      db,
      session.id,
      turns.map((turn) => toRow(turn, session.id, now)),
      now,
    );
    if (added === null) throw new AppError('not_found');
    return { added, known: turns.length - added };
  }

  /** In the order of their numbers. */
  async function list(id: string, page: PageRequest, caller: string | null) {
    const session = await sessions.get(id, caller);
    return toPage(await listTurns(db, session.id, page), page.limit, ({ turn_index }) => String(turn_index));
  }

  /** The latencies of turns, in total and by group. */
  async function report(filter: TurnFilter, dimensions: [TurnGroup, ...TurnGroup[]]) {
    const rows = await latencies(db, filter, dimensions, MAX_GROUPS);
    const groups = Map.groupBy(
      rows.filter(({ is_total }) => !is_total),
      ({ agent_id, agent_version, model }) => `${agent_id} ${agent_version} ${model}`,
    );
    const ids = rows.flatMap(({ agent_id }) => agent_id || []);
    const names = await agents.names([...new Set(ids)]);
    return {
      total: figuresOf(rows.filter(({ is_total }) => is_total)),
      groups: Array.from(groups.values(), (latenciesOfGroup) => ({
        ...keyOf(latenciesOfGroup[0], names),
        ...figuresOf(latenciesOfGroup),
      })),
    };
  }

  return {
    add,
    list,
    /** The turns with which the caller interrupted: as many as there may be in one test. */
    interruptions: (session_id: string) => listInterruptions(db, session_id, MAX_TURNS),
    report,
    toolCalls,
    erase: deleteTurnsOf,
    eraseRollups: deleteTurnRollups,
    /** Deletes a batch of the old turns. Reports keep their figures. */
    deleteOlder: (batch: Batch) => deleteOldTurns(db, batch),
  };
}

function keyOf(row: LatencyRow | undefined, names: Map<string, string>) {
  const { agent_id, agent_version, model } = row ?? {};
  const agent_name = names.get(agent_id ?? '') ?? null;
  return { agent_id: agent_id || null, agent_name, agent_version: agent_version || null, model: model || null };
}

function toRow(turn: Static<typeof NewTurn>, session_id: string, created_at: Date): BucketedTurn {
  const [transcript_ms, first_token_ms, first_audio_ms, interrupted_after_ms = null] = [
    turn.transcript_ms,
    turn.first_token_ms,
    turn.first_audio_ms,
    turn.interrupted_after_ms,
  ].map((ms) => (ms === undefined || ms === null ? null : Math.round(ms)));
  return {
    id: newId(),
    session_id,
    turn_index: turn.turn_index,
    model: turn.model ?? null,
    created_at,
    end_of_speech_at: new Date(turn.end_of_speech_at),
    transcript_ms,
    first_token_ms,
    first_audio_ms,
    interrupted_after_ms,
    transcript_bucket: bucketOrNull(transcript_ms),
    first_token_bucket: bucketOrNull(first_token_ms),
    first_audio_bucket: bucketOrNull(first_audio_ms),
  };
}

function bucketOrNull(ms: number | null | undefined): number | null {
  return ms === null || ms === undefined ? null : bucketOf(ms);
}

function figuresOf(rows: LatencyRow[]) {
  const of = (metric: LatencyRow['metric']) => {
    const row = rows.find((one) => one.metric === metric);
    if (!row) return null;
    const { turns, mean_ms, p50_bucket, p95_bucket } = row;
    return { turns, mean_ms, p50_ms: Math.round(middleOf(p50_bucket)), p95_ms: Math.round(middleOf(p95_bucket)) };
  };
  return { transcript: of('transcript'), first_token: of('first_token'), first_audio: of('first_audio') };
}
