import { Type } from 'typebox';
import { exampleRelease, releaseFields } from '../../conversations/versions/schema.ts';
import { DateTime, Id, nullable } from '../../http/wire.ts';

const { created_by: _, ...release } = releaseFields;
const { created_by: __, ...example } = exampleRelease;

const AgentReleasedData = Type.Object(
  { agent_id: Id, user_id: Type.String(), ...release },
  { title: 'AgentReleasedData' },
);

export const AgentReleased = Type.Object(
  { type: Type.String({ description: '`agent.released`.' }), timestamp: DateTime, data: AgentReleasedData },
  {
    title: 'AgentReleased',
    description:
      'Sent for each release that is listed of an agent but its first: for one that somebody makes, for a rollback, which `repeats` a release, and for an update of an agent that is not gated.',
    examples: [
      {
        type: 'agent.released',
        timestamp: '2026-01-15T09:30:00.000Z',
        data: { agent_id: '01980000-0000-7000-8000-000000000000', user_id: 'user-1', ...example },
      },
    ],
  },
);

const Bytes = (description: string) => Type.Integer({ minimum: 0, description });

const QuotaThresholdData = Type.Object(
  {
    user_id: Type.String(),
    threshold: Type.Integer({ description: 'The percentage that was reached: 80 or 100.' }),
    stored_bytes: Bytes('Bytes stored for the user when that was noticed.'),
    stored_bytes_limit: Bytes('`STORED_BYTES_PER_USER`.'),
  },
  { title: 'QuotaThresholdData' },
);

export const QuotaThreshold = Type.Object(
  { type: Type.String({ description: '`quota.threshold`.' }), timestamp: DateTime, data: QuotaThresholdData },
  {
    title: 'QuotaThreshold',
    description:
      'Sent when what is stored for a user has grown to 80 % of its quota, and to all of it: to the webhook endpoints of the user, about a minute later. Sent again only after it had fallen below.',
    examples: [
      {
        type: 'quota.threshold',
        timestamp: '2026-01-15T09:30:05.000Z',
        data: {
          user_id: 'user-1',
          threshold: 80,
          stored_bytes: 8_590_131_200,
          stored_bytes_limit: 10_737_418_240,
        },
      },
    ],
  },
);

const CallDigitsData = Type.Object(
  {
    call_id: Id,
    name: Type.String({ description: 'The name of the entry in `tools.collect_digits` of the agent.' }),
    digits: nullable(
      Type.String({ description: 'The keys. Null if they are sensitive, or `privacy.redact` replaces them.' }),
    ),
    is_sensitive: Type.Boolean({ description: 'Whether only functions of the agent get the keys.' }),
    asked_at: { ...DateTime, description: 'When the agent began to wait for them.' },
  },
  { title: 'CallDigitsData' },
);

export const CallDigits = Type.Object(
  { type: Type.String({ description: '`call.digits`.' }), timestamp: DateTime, data: CallDigitsData },
  {
    title: 'CallDigits',
    description:
      'Sent for each entry of keys that the agent asks for by `collect_digits`, once its worker has reported it. Keys that give consent to a recording are none.',
    examples: [
      {
        type: 'call.digits',
        timestamp: '2026-01-15T09:30:24.000Z',
        data: {
          call_id: '01980000-0000-7000-8000-000000000001',
          name: 'order_number',
          digits: '4021',
          is_sensitive: false,
          asked_at: '2026-01-15T09:30:15.000Z',
        },
      },
    ],
  },
);
