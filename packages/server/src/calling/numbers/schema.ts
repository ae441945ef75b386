import { Type } from 'typebox';
import { FreeObject, Id, nullable, PhoneNumber } from '../../http/wire.ts';

export const NumberAssign = Type.Object(
  { agent_id: Id, phone_number: PhoneNumber },
  {
    title: 'NumberAssign',
    examples: [{ agent_id: '01980000-0000-7000-8000-000000000000', phone_number: '+15005550010' }],
  },
);

export const NumberRelease = Type.Object(
  { agent_id: Id },
  { title: 'NumberRelease', examples: [{ agent_id: '01980000-0000-7000-8000-000000000000' }] },
);

export const NumberAssigned = Type.Object(
  { status: Type.Literal('assigned'), agent_id: Id, phone_number: Type.String(), carrier_sid: Type.String() },
  {
    title: 'NumberAssigned',
    examples: [
      {
        status: 'assigned',
        agent_id: '01980000-0000-7000-8000-000000000000',
        phone_number: '+15005550010',
        carrier_sid: 'PN00000000000000000000000000000010',
      },
    ],
  },
);

export const NumberReleased = Type.Object(
  { status: Type.Literal('released'), agent_id: Id, phone_number: Type.String() },
  {
    title: 'NumberReleased',
    examples: [{ status: 'released', agent_id: '01980000-0000-7000-8000-000000000000', phone_number: '+15005550010' }],
  },
);

export const OwnedNumber = Type.Object(
  {
    phone_number: Type.String(),
    carrier_sid: Type.String(),
    voice: Type.Boolean(),
    agent_id: nullable(Id),
    user_id: nullable(Type.String()),
  },
  {
    title: 'OwnedNumber',
    examples: [
      {
        phone_number: '+15005550010',
        carrier_sid: 'PN00000000000000000000000000000010',
        voice: true,
        agent_id: '01980000-0000-7000-8000-000000000000',
        user_id: 'user-1',
      },
    ],
  },
);

export const NumberLookup = Type.Object(
  { agent_id: Id, name: Type.String(), config: FreeObject },
  {
    title: 'NumberLookup',
    examples: [{ agent_id: '01980000-0000-7000-8000-000000000000', name: 'Front desk', config: {} }],
  },
);
