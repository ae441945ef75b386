import type { Static } from 'typebox';
import type { Agent } from '../../conversations/agents/agents.ts';
import { withRules } from '../../conversations/agents/privacy.ts';
import { directionOf, numbersOf, type Session } from '../../conversations/sessions/sessions.ts';
import type { SipFacts } from '../../db/sip-tables.ts';
import type { CallVariables } from '../../db/tables.ts';
import { type FieldProblem, InvalidFields } from '../../lib/invalid.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { headerVariables, isListed, type SipHeaders } from '../../lib/sip-headers.ts';
import type { RoomRequest } from '../../providers/rooms.ts';
import { OutboundCall, scheduleFields, type WorkerJob } from './schema.ts';

export type { WorkerJob };

/** Per-call data of any call. */
export interface CallData {
  variables?: CallVariables | null | undefined;
  metadata?: JsonObject | null | undefined;
  max_duration_s?: number | null | undefined;
  /** Whether it is recorded; as the agent says by default. */
  record?: boolean | null | undefined;
  /** Facts of its SIP dialog so far. */
  sip?: SipFacts | null | undefined;
}

/** Per-call data of calls to phones. */
export interface DialData extends CallData {
  from_number?: string | null | undefined;
  ringing_timeout_s?: number | null | undefined;
  sip_headers?: SipHeaders | null | undefined;
}

/** Maximum durations by the settings, in seconds. */
export interface Durations {
  ringing_timeout_s: number;
  max_duration_s: number;
}

/** Throws `InvalidFields` for durations above the settings. */
export function assertWithin(durations: Durations, data: DialData): void {
  const problems = (['ringing_timeout_s', 'max_duration_s'] as const).flatMap((field): FieldProblem[] => {
    const value = data[field];
    if (typeof value !== 'number' || value <= durations[field]) return [];
    const msg = `Input should be less than or equal to ${durations[field]}`;
    return [{ field, msg, type: 'less_than_equal', input: value }];
  });
  if (problems.length > 0) throw new InvalidFields(...problems);
}

/** Throws `InvalidFields` if a recording is asked for that the agent's configuration knows nothing of. */
export function assertRecordable({ config }: Agent, { record }: CallData): void {
  if (record !== true || isObject(config.recording)) return;
  const msg = 'Input should be true only if the agent has `recording` in its configuration';
  throw new InvalidFields({ field: 'record', msg, type: 'value_error', input: record });
}

/** Throws `InvalidFields` for a header that calls may not set. */
export function assertHeaders(allowed: readonly string[], { sip_headers }: DialData): void {
  const names = Object.keys(sip_headers ?? {});
  const seen = new Set<string>();
  const problems = names.flatMap((name): FieldProblem[] => {
    const isRepeated = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    if (isListed(name, allowed) && !isRepeated) return [];
    const msg = isRepeated ? 'Input should have each header once' : 'Input should be a header of `SIP_HEADERS_OUT`';
    return [{ field: ['sip_headers', name], msg, type: 'value_error', input: sip_headers?.[name] }];
  });
  if (problems.length > 0) throw new InvalidFields(...problems);
}

/**
 * Per-call data with the maximum duration that the agent's configuration gives its calls, if that is shorter than their
 * own and that of the settings.
 */
export function limitedBy<Data extends CallData>(
  { config: { limits } }: Pick<Agent, 'config'>,
  data: Data,
  { max_duration_s: setting }: Pick<Durations, 'max_duration_s'>,
): Data {
  const max = isObject(limits) ? limits.max_duration_s : undefined;
  // Any configuration is stored.
  if (typeof max !== 'number' || !Number.isInteger(max) || max < 1 || max >= setting) return data;
  return { ...data, max_duration_s: Math.min(max, data.max_duration_s ?? max) };
}

/** The configuration for a call, with its own choice in place of `recording.enabled`. */
function configFor({ config }: Agent, { record }: CallData): JsonObject {
  const { recording } = config;
  if (typeof record !== 'boolean' || !isObject(recording)) return config;
  return { ...config, recording: { ...recording, enabled: record } };
}

/** Columns of a session for its per-call data; absent values are null in the row. */
export function callDataColumns({ variables, metadata, max_duration_s, record, ...dial }: DialData) {
  return {
    ...(variables && { variables: JSON.stringify(variables) }),
    ...(metadata && { metadata: JSON.stringify(metadata) }),
    ...(max_duration_s && { max_duration_s }),
    ...(typeof record === 'boolean' && { record }),
    ...(dial.ringing_timeout_s && { ringing_timeout_s: dial.ringing_timeout_s }),
    ...(dial.sip_headers && { sip: JSON.stringify({ headers_out: dial.sip_headers } satisfies SipFacts) }),
  };
}

/** The job of the agent's worker for a session. */
export function jobOf(agent: Agent, session: Session, data: CallData = {}): WorkerJob {
  return {
    version: 1,
    session_id: session.id,
    room_name: session.room_name,
    user_id: session.user_id,
    agent_id: agent.id,
    agent_name: agent.name,
    agent_version: agent.version,
    config: withRules(configFor(agent, data), session.privacy),
    // A session that is not a phone call is a conversation in a browser.
    direction: directionOf(session) ?? 'WEB',
    ...numbersOf(session),
    variables: { ...headerVariables(data.sip?.headers_in), ...data.variables },
    metadata: data.metadata ?? {},
  };
}

/** The room of a session, with the metadata for the agent's worker. */
export function roomOf(agent: Agent, session: Session, data: CallData = {}): RoomRequest {
  return {
    room_name: session.room_name,
    room_metadata: JSON.stringify({ agentId: agent.id, sessionId: session.id }),
    agent_metadata: JSON.stringify(jobOf(agent, session, data)),
  };
}

/** Fields of a call, whenever it is placed. Requests may have others, which mean nothing. */
const CALL_FIELDS = new Set(
  Object.keys(OutboundCall.properties).filter((name) => name !== 'if_not_now' && !(name in scheduleFields)),
);

/** The call that a request asks for, without when it is to be placed. */
export function callOf(input: Static<typeof OutboundCall>): Static<typeof OutboundCall> {
  const given = Object.entries(input).filter(([name]) => CALL_FIELDS.has(name));
  return Object.fromEntries(given) as unknown as Static<typeof OutboundCall>;
}
