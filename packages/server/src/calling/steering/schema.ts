import { Type } from 'typebox';
import { DateTime, Id } from '../../http/wire.ts';

/** Characters of a text that an agent is given: a message between participants of a room has 15 KiB. */
export const MAX_WORDS = 2000;
/** Keys of one request. */
const MAX_KEYS = 32;

const text = (description: string) => Type.String({ minLength: 1, maxLength: MAX_WORDS, pattern: '\\S', description });

export const SayRequest = Type.Object(
  {
    text: text('Said as it is, without variables. A realtime model may change the words.'),
    interrupt: Type.Optional(
      Type.Boolean({ default: false, description: 'Stops what the agent is saying. Otherwise it is said afterwards.' }),
    ),
  },
  { title: 'SayRequest', additionalProperties: false, examples: [{ text: 'One moment, please.', interrupt: true }] },
);

export const InstructRequest = Type.Object(
  {
    text: text('Holds until the end of the call, beside the instructions of the agent.'),
    reply: Type.Optional(
      Type.Boolean({ default: false, description: 'The agent speaks at once; otherwise with its next answer.' }),
    ),
  },
  { title: 'InstructRequest', additionalProperties: false, examples: [{ text: 'Offer a refund of 20 euros.' }] },
);

export const PressRequest = Type.Object(
  {
    digits: Type.String({
      pattern: `^[0-9*#A-D]{1,${MAX_KEYS}}$`,
      description: 'Keys of a telephone, pressed one after another as RFC 4733 events.',
    }),
  },
  { title: 'PressRequest', additionalProperties: false, examples: [{ digits: '2#' }] },
);

export const CommandAccepted = Type.Object(
  { call_id: Id },
  {
    title: 'CommandAccepted',
    description: 'The worker of the call has accepted it, and does it now.',
    examples: [{ call_id: '01980000-0000-7000-8000-000000000001' }],
  },
);

export const CallTakenOver = Type.Object(
  {
    room_name: Type.String(),
    url: Type.String({ description: 'The URL to connect to with `token`.' }),
    token: Type.String({
      description: 'Allows talking and listening in the room of this call only. Valid until `expires_at`.',
    }),
    expires_at: DateTime,
    is_simulated: Type.Boolean({
      description: 'Whether this is the sandbox, which has no audio and no server at `url`.',
    }),
  },
  {
    title: 'CallTakenOver',
    description: 'The agent is silent. Connect to `url` with `token` before `expires_at`; leave to give the call back.',
    examples: [
      {
        room_name: 'call-01980000',
        url: 'wss://example.livekit.cloud',
        token: 'eyJ…',
        expires_at: '2026-01-15T09:30:20.000Z',
        is_simulated: false,
      },
    ],
  },
);
