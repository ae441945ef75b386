import { newId } from '../../lib/ids.ts';
import { InvalidRequest } from '../../lib/invalid.ts';
import { isObject, type JsonObject, textProblem } from '../../lib/json.ts';
import type { Leaving, MediaEvent, MediaEventKind } from '../events.ts';
import type { Participant, ParticipantKind, PhoneState } from '../rooms.ts';
import { readAgentName, readPhone } from './sip-attributes.ts';

/** Bytes; index entries are limited in size. */
const MAX_TEXT = 1024;
const KINDS: readonly ParticipantKind[] = ['STANDARD', 'INGRESS', 'EGRESS', 'SIP', 'AGENT'];

/** `connection_aborted` stands for `left` of a participant that never became active. */
const EVENTS: Record<string, MediaEventKind> = {
  participant_joined: 'joined',
  participant_left: 'left',
  participant_connection_aborted: 'left',
  track_published: 'audio_started',
  room_finished: 'room_ended',
};

/** LiveKit's disconnect reasons; any other counts as leaving. */
const LEAVING: Record<string, Leaving> = {
  SIP_TRUNK_FAILURE: 'lost',
  MEDIA_FAILURE: 'lost',
  CONNECTION_TIMEOUT: 'lost',
  SIGNAL_CLOSE: 'lost',
  PARTICIPANT_REMOVED: 'removed',
  ROOM_DELETED: 'removed',
  STATE_MISMATCH: 'replaced',
  DUPLICATE_IDENTITY: 'replaced',
  MIGRATION: 'replaced',
};

/**
 * Parses a LiveKit webhook: protojson, camelCase, zero values omitted (a participant without a kind is STANDARD).
 * Throws `InvalidRequest` if it is not a JSON object; other oddities are accepted, because the provider never retries
 * a rejected event.
 */
export function parseWebhookEvent(body: string): MediaEvent {
  const event = parseObject(body);
  const name = text(event.event) ?? 'unknown';
  return {
    id: text(event.id) ?? newId(),
    kind: EVENTS[name] ?? 'other',
    name,
    created_at: time(event.createdAt, 1000),
    room_name: isObject(event.room) ? text(event.room.name) : null,
    participant: isObject(event.participant) ? readParticipant(event.participant) : null,
  };
}

function readParticipant(participant: JsonObject): Participant & { leaving: Leaving } {
  const kind = KINDS.find((one) => one === participant.kind) ?? 'STANDARD';
  const shown = attributes(participant.attributes);
  const phone = kind === 'SIP' ? readPhone(shown) : null;
  return {
    sid: text(participant.sid),
    identity: text(participant.identity) ?? '',
    kind,
    joined_at: time(participant.joinedAtMs, 1) ?? time(participant.joinedAt, 1000),
    phone,
    agent_name: kind === 'AGENT' ? readAgentName(shown) : null,
    audio_at: null,
    leaving: leavingOf(text(participant.disconnectReason), phone?.state ?? null),
  };
}

/**
 * A phone reports a hang-up before it leaves; one that leaves without it has lost its audio. The media server sometimes
 * misses that one has left, and its connection times out after the hang-up.
 */
function leavingOf(reason: string | null, state: PhoneState | null): Leaving {
  if (reason === 'CLIENT_INITIATED' && state === 'active') return 'lost';
  if (reason === 'CONNECTION_TIMEOUT' && state === 'hangup') return 'left';
  return LEAVING[reason ?? ''] ?? 'left';
}

// Protojson writes 64-bit integers as strings.
function time(value: unknown, unitMs: number): Date | null {
  const at = new Date(Number(typeof value === 'string' ? value : Number.NaN) * unitMs);
  return Number.isNaN(at.getTime()) ? null : at;
}

function parseObject(body: string): JsonObject {
  try {
    const value: unknown = JSON.parse(body);
    if (isObject(value)) return value;
  } catch {
    throw new InvalidRequest([{ loc: ['body', 0], msg: 'Input should be valid JSON', type: 'json_invalid' }]);
  }
  throw new InvalidRequest([{ loc: ['body'], msg: 'Input should be a valid object', type: 'dict_type' }]);
}

function attributes(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (typeof item === 'string' ? [[key, item]] : [])),
  );
}

// Text that the database cannot store is dropped: no provider sends any.
function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && Buffer.byteLength(value) <= MAX_TEXT && !textProblem(value)
    ? value
    : null;
}
