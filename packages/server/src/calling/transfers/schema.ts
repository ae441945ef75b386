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
    status: oneOf(
      'TransferStatus',
      ['pending', 'connected', 'completed', 'failed'],
      '`pending` while the target is dialed, `connected` while all three talk.',
    ),
    reason: nullable(EndReason),
    sip_status_code: nullable(Type.Integer()),
    created_at: DateTime,
    updated_at: DateTime,
  },
  { title: 'TransferAttempt' },
);

const TransferTypeInput = {
  ...oneOf('TransferTypeInput', ['WARM', 'COLD', 'warm', 'cold'], 'As `TransferType`; lower case is accepted.'),
  // Generators of clients would give both spellings the same name.
  'x-enum-varnames': ['WARM', 'COLD', 'LOWER_CASE_WARM', 'LOWER_CASE_COLD'],
};

export const TransferRequest = Type.Object(
  { phone_number: PhoneNumber, type: Type.Optional(nullable(TransferTypeInput)) },
  { title: 'TransferRequest', examples: [{ phone_number: '+15005550101' }] },
);

export const Transfer = Type.Object(
  {
    session_id: Id,
    transfer_type: TransferType,
    transferred_to: Type.String(),
    status: Type.String({ description: '`completed` (cold) or `initiated` (warm: the target is being dialed).' }),
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
