import { Type } from 'typebox';
import { DateTime, Direction, FreeObject, Id, nullable, oneOf } from '../../http/wire.ts';
import { DialDecision, decisionExample } from '../outbound/decision-schema.ts';
import { Consent } from '../suppressions/schema.ts';

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });

const EvidenceCall = Type.Object(
  {
    call_id: Id,
    user_id: Type.String(),
    direction: Direction,
    from_number: nullable(Type.String()),
    to_number: nullable(Type.String()),
    status: Type.String({ description: '`call_status`.' }),
    answered_by: nullable(Type.String()),
    created_at: DateTime,
    started_at: nullable({ ...DateTime, description: 'When it was answered.' }),
    ended_at: nullable(DateTime),
    end_reason: nullable(Type.String()),
    sip_status_code: nullable(Type.Integer()),
  },
  { title: 'EvidenceCall' },
);

const EvidenceAgent = Type.Object(
  {
    agent_id: Id,
    agent_version: nullable(Type.Integer()),
    policy: nullable(Type.String({ description: 'The dial policy that it names.' })),
    disclosure: nullable(Type.String({ description: 'What it had to say first, with `{{name}}` for variables.' })),
    opt_out: nullable(
      Type.Boolean({
        description:
          'Whether the service listened for people who want no more calls. Null: the version is not kept, as of an agent that was deleted, and neither are its other settings.',
      }),
    ),
    recording_consent: nullable(
      Type.String({ description: 'What had to happen before it was recorded. Null: it was not to be.' }),
    ),
  },
  { title: 'EvidenceAgent', description: 'Its settings at the version that the call had.' },
);

const EvidencePolicy = Type.Object(
  {
    name: Type.String(),
    version: Type.Integer(),
    rules: nullable({ ...FreeObject, description: 'As `DialRules`.' }),
    created_at: nullable(DateTime),
  },
  { title: 'EvidencePolicy', description: 'The version of a policy that a decision was made by.' },
);

const EvidenceDisclosure = Type.Object(
  { text: Type.String(), started_at: DateTime, is_complete: Type.Boolean() },
  { title: 'EvidenceDisclosure', description: 'What the agent said first, and when it began.' },
);

const EvidenceRecording = Type.Object(
  {
    recording_id: Id,
    state: Type.String({ description: '`refused`: there was no consent, and nothing was recorded.' }),
    channels: Type.String(),
    asked_at: DateTime,
    started_at: nullable({ ...DateTime, description: 'The time of the first sample, which follows the consent.' }),
    sha256: nullable(Hash),
  },
  { title: 'EvidenceRecording' },
);

const EvidenceOptOut = Type.Object(
  {
    asked_at: DateTime,
    noticed_by: oneOf('OptOutNoticedBy', ['service', 'agent'] as const, '`service`: in a transcript.'),
    transcript_id: nullable(Id),
    words: nullable(Type.String({ description: 'What was said. Null once the transcript is deleted.' })),
    scope: Type.String({ description: 'As of suppressions.' }),
    scope_id: Type.String(),
    is_suppressed: Type.Boolean({ description: 'False for a caller who withholds the number.' }),
  },
  { title: 'EvidenceOptOut', description: 'Somebody on the phone asked not to be called any more.' },
);

const EvidenceChain = Type.Object(
  {
    position: Type.Integer({ description: 'The number of the document among those of the user, from 1.' }),
    previous: nullable({ ...Hash, description: 'SHA-256 of the bytes of the document before it.' }),
  },
  { title: 'EvidenceChain' },
);

const kid = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';
const at = '2026-01-15T09:30:00.000Z';

const signedFields = {
  issued_at: DateTime,
  key_id: Type.String({ description: 'Of `GET /.well-known/switchboard-evidence.json`.' }),
  chain: EvidenceChain,
  signature: Type.String({
    description: 'Ed25519, in hexadecimal, of the bytes of the response without `,"signature":"…"`.',
  }),
};

export const CallEvidence = Type.Object(
  {
    kind: Type.String({ description: '`switchboard.call-evidence`.' }),
    format: Type.Integer({ description: '1.' }),
    call: EvidenceCall,
    agent: nullable(EvidenceAgent),
    decisions: Type.Array(DialDecision),
    policies: Type.Array(EvidencePolicy),
    consents: Type.Array(Consent, { description: 'Of the other side\u2019s number, from before the call.' }),
    disclosure: nullable(EvidenceDisclosure),
    recordings: Type.Array(EvidenceRecording),
    opt_out: nullable(EvidenceOptOut),
    ...signedFields,
  },
  {
    title: 'CallEvidence',
    examples: [
      {
        kind: 'switchboard.call-evidence',
        format: 1,
        call: {
          call_id: '01980000-0000-7000-8000-000000000001',
          user_id: 'user-1',
          direction: 'OUTBOUND',
          from_number: '+15005550010',
          to_number: '+15005550100',
          status: 'COMPLETED',
          answered_by: 'human',
          created_at: at,
          started_at: at,
          ended_at: at,
          end_reason: 'ended_by_agent',
          sip_status_code: null,
        },
        agent: null,
        decisions: [],
        policies: [],
        consents: [],
        disclosure: { text: 'This is an AI calling.', started_at: at, is_complete: true },
        recordings: [],
        opt_out: null,
        issued_at: at,
        key_id: kid,
        chain: { position: 1, previous: null },
        signature: '0'.repeat(128),
      },
    ],
  },
);

export const DecisionEvidence = Type.Object(
  {
    kind: Type.String({ description: '`switchboard.decision-evidence`.' }),
    format: Type.Integer({ description: '1.' }),
    decision: Type.Object({ ...DialDecision.properties, user_id: Type.String() }, { title: 'EvidenceDecision' }),
    policies: Type.Array(EvidencePolicy, { description: 'The version that it was made by, if there is one.' }),
    consents: Type.Array(Consent, { description: 'Of the number, from before the decision.' }),
    ...signedFields,
  },
  {
    title: 'DecisionEvidence',
    examples: [
      {
        kind: 'switchboard.decision-evidence',
        format: 1,
        decision: { ...decisionExample, user_id: 'user-1' },
        policies: [],
        consents: [],
        issued_at: at,
        key_id: kid,
        chain: { position: 1, previous: null },
        signature: '0'.repeat(128),
      },
    ],
  },
);

const EvidenceKey = Type.Object(
  {
    kty: Type.String({ description: '`OKP`.' }),
    crv: Type.String({ description: '`Ed25519`.' }),
    use: Type.String({ description: '`sig`.' }),
    kid: Type.String({ description: 'The thumbprint of the key (RFC 7638).' }),
    x: Type.String({ description: 'The 32 bytes of the public key, in base64url.' }),
    created_at: DateTime,
  },
  { title: 'EvidenceKey' },
);

export const EvidenceKeySet = Type.Object(
  { keys: Type.Array(EvidenceKey, { description: 'The newest signs.' }) },
  {
    title: 'EvidenceKeySet',
    examples: [
      {
        keys: [
          {
            kty: 'OKP',
            crv: 'Ed25519',
            use: 'sig',
            kid,
            x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
            created_at: at,
          },
        ],
      },
    ],
  },
);
