import { InvalidRequest } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { isObject, type JsonObject, textProblem } from '../../lib/json.ts';
import type { MediaEvent, ParticipantKind } from './media.ts';

/** Bytes: an index entry has room for so many. */
const MAX_TEXT = 1024;
const KINDS: readonly ParticipantKind[] = ['STANDARD', 'INGRESS', 'EGRESS', 'SIP', 'AGENT'];

/**
 * Reads a LiveKit webhook body: protojson, camelCase, zero values left out (so a participant without a kind is STANDARD).
 * Throws `InvalidRequest` when it is not a JSON object; whatever else is odd about it is accepted, because the provider never
 * repeats what was refused.
 */
export function parseWebhookEvent(body: string): MediaEvent {
  const event = parseObject(body);
  const participant = isObject(event.participant) ? event.participant : null;
  return {
    id: text(event.id) ?? newId(),
    event: text(event.event) ?? 'unknown',
    room_name: isObject(event.room) ? text(event.room.name) : null,
    participant: participant && {
      identity: text(participant.identity) ?? '',
      kind: KINDS.find((kind) => kind === participant.kind) ?? 'STANDARD',
      attributes: attributes(participant.attributes),
      disconnect_reason: text(participant.disconnectReason),
    },
  };
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

// What no provider sends and the database cannot hold counts as not sent.
function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && Buffer.byteLength(value) <= MAX_TEXT && !textProblem(value)
    ? value
    : null;
}
