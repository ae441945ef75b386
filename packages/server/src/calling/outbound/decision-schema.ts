import { Type } from 'typebox';
import { PageQuery } from '../../http/paging.ts';
import { DateTime, FreeObject, Id, nullable, oneOf, PhoneNumber } from '../../http/wire.ts';
import { DialReason, Purpose } from '../policies/schema.ts';
import { dialPlaceFields } from './schema.ts';

const evaluation = {
  outcome: oneOf('DialOutcome', ['allow', 'defer', 'deny'] as const, '`defer`: allowed at `not_before`.'),
  not_before: nullable(DateTime),
  reasons: Type.Array(DialReason, { description: 'Empty if it is allowed.' }),
  policy: nullable(Type.String()),
  policy_version: nullable(Type.Integer()),
  inputs: { ...FreeObject, description: 'What it was decided from.' },
  inputs_hash: Type.String({
    description:
      'SHA-256, in hexadecimal, of the inputs as canonical JSON (RFC 8785). Inputs without `format` are from earlier releases, which hashed another form.',
  }),
  evaluated_at: DateTime,
};

const example = {
  outcome: 'defer',
  not_before: '2026-01-15T14:00:00.000Z',
  reasons: [
    {
      rule: 'window',
      detail: 'It is 04:30 on 2026-01-15 in America/New_York, outside of the hours.',
      source: 'policy office-hours, version 1',
    },
  ],
  policy: 'office-hours',
  policy_version: 1,
  inputs: { format: 2, purpose: 'marketing' },
  inputs_hash: 'b6f360ea811725f0e6ec1c7d3437fc72edcff91e44153d96ced7e5642f3635df',
  evaluated_at: '2026-01-15T09:30:00.000Z',
};

export const DialCheckRequest = Type.Object(
  { agent_id: Id, phone_number: PhoneNumber, ...dialPlaceFields },
  {
    title: 'DialCheckRequest',
    additionalProperties: false,
    examples: [
      { agent_id: '01980000-0000-7000-8000-000000000000', phone_number: '+15005550100', purpose: 'marketing' },
    ],
  },
);

export const DialCheck = Type.Object(evaluation, { title: 'DialCheck', examples: [example] });

export const decisionExample = {
  id: '01980000-0000-7000-8000-000000000033',
  call_id: null,
  kind: 'call',
  agent_id: '01980000-0000-7000-8000-000000000000',
  phone_number: '+15005550100',
  purpose: 'marketing',
  ...example,
};

export const DialDecision = Type.Object(
  {
    id: Id,
    call_id: nullable({ ...Id, description: 'Null for a call that was not placed.' }),
    kind: oneOf('DialKind', ['call', 'transfer'] as const, 'Of the rules, only suppressions apply to transfers.'),
    agent_id: nullable(Id),
    phone_number: Type.String(),
    purpose: Purpose,
    ...evaluation,
  },
  {
    title: 'DialDecision',
    examples: [decisionExample],
  },
);

export const DecisionQuery = Type.Object(
  { ...PageQuery, phone_number: Type.Optional({ ...PhoneNumber, description: 'Only decisions about this number.' }) },
  { additionalProperties: false },
);
