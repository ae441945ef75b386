import { Type } from 'typebox';
import { DateTime, EndReason, Id, nullable, oneOf, PhoneNumber, TransferType } from '../../http/wire.ts';

export const TransferAttempt = Type.Object(
  {
    id: Id,
    transfer_type: TransferType,
    phone_number: Type.String(),
    fallback: Type.Boolean({
      description: 'Whether no worker had taken the call, so that it went to `inbound.fallback_number` of its agent.',
    }),
    attended: Type.Boolean({ description: 'Whether the agent talks to the target first, while the caller waits.' }),
    briefing: nullable(Type.String({ description: 'What the agent tells the target; null once that is over.' })),
    status: oneOf(
      'TransferStatus',
      ['pending', 'connected', 'completed', 'failed'],
      '`pending` while the target is dialled; `connected` while all three talk, or the agent and the target of an attended one. That is `failed` once the caller is back with the agent, and `reason` says why: `declined`, `voicemail`, `hangup`, `canceled` by a request, `max_duration`, `call_ended`.',
    ),
    reason: nullable(EndReason),
    sip_status_code: nullable(Type.Integer()),
    created_at: DateTime,
    updated_at: DateTime,
  },
  { title: 'TransferAttempt' },
);

/** Characters of what is said about a caller: nobody listens for longer than a minute. */
const MAX_BRIEFING = 1000;

const TransferTypeInput = {
  ...oneOf('TransferTypeInput', ['WARM', 'COLD', 'warm', 'cold'], 'As `TransferType`; lower case is accepted.'),
  // Generators of clients would give both spellings the same name.
  'x-enum-varnames': ['WARM', 'COLD', 'LOWER_CASE_WARM', 'LOWER_CASE_COLD'],
};

export const TransferRequest = Type.Object(
  {
    phone_number: PhoneNumber,
    type: Type.Optional(nullable(TransferTypeInput)),
    attended: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'WARM only: once the target has answered, the caller hears music while the agent asks the target, and the two are connected if it agrees. Then `type` is WARM by default.',
      }),
    ),
    briefing: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_BRIEFING,
        pattern: '\\S',
        description: 'What the agent tells the target of an attended transfer about the caller.',
      }),
    ),
  },
  { title: 'TransferRequest', examples: [{ phone_number: '+15005550101' }] },
);

export const CompleteQuery = Type.Object(
  {
    outcome: Type.Optional(
      oneOf(
        'TransferOutcome',
        ['connect', 'return'],
        '`connect`, the default: the agent leaves, caller and target stay connected. `return`, of attended ones: the call to the target is ended, the caller is back with the agent.',
      ),
    ),
    reason: Type.Optional(
      oneOf(
        'TransferReturnReason',
        ['declined', 'voicemail', 'canceled'],
        'Why it is returned; `canceled` by default.',
      ),
    ),
  },
  { additionalProperties: false },
);

export const Transfer = Type.Object(
  {
    session_id: Id,
    transfer_type: TransferType,
    transferred_to: Type.String(),
    status: Type.String({ description: '`completed` (cold) or `initiated` (warm: the target is being dialled).' }),
    message: Type.String(),
  },
  {
    title: 'Transfer',
    examples: [
      {
        session_id: '01980000-0000-7000-8000-000000000001',
        transfer_type: 'COLD',
        transferred_to: '+15005550101',
        status: 'completed',
        message: 'The caller is connected to the new number; the agent has left.',
      },
    ],
  },
);
