import { type Static, Type } from 'typebox';
import { CustomerFunction } from '../../conversations/agents/tool-schema.ts';
import { FreeObject, Id, nullable, oneOf } from '../../http/wire.ts';

/** Characters of what is shown of a body, and of a header. */
const MAX_BODY = 65_536;
const MAX_TEXT = 4_096;

const Arguments = { ...FreeObject, description: 'What the model would pass to it.' };
const Variables = { ...FreeObject, description: 'Variables of the call, for its templates.' };

export const FunctionCheckCreate = Type.Object(
  { function: CustomerFunction, arguments: Type.Optional(Arguments), variables: Type.Optional(Variables) },
  {
    title: 'FunctionCheckCreate',
    additionalProperties: false,
    description: 'A function, as in an agent’s `config.tools.functions`, and values to call it with.',
    examples: [
      {
        function: { name: 'free_slots', description: 'Free appointments.', url: 'https://example.com/slots' },
        arguments: { day: 'Monday' },
      },
    ],
  },
);
export type FunctionCheckCreate = Static<typeof FunctionCheckCreate>;

export const FunctionCheckTask = Type.Object(
  {
    function: CustomerFunction,
    arguments: Arguments,
    variables: Variables,
    agent_id: Id,
    user_id: Type.String({ description: 'The agent’s user.' }),
  },
  { title: 'FunctionCheckTask', description: 'The payload of a task of the kind `function_check`.' },
);
export type FunctionCheckTask = Static<typeof FunctionCheckTask>;

const Header = Type.Object(
  { name: Type.String({ maxLength: MAX_TEXT }), value: Type.String({ maxLength: MAX_TEXT }) },
  { title: 'ShownHeader', additionalProperties: false },
);
const Headers = Type.Array(Header, { maxItems: 100, description: 'Without the values of secrets.' });
const Body = Type.String({ maxLength: MAX_BODY });

const resultFields = {
  outcome: oneOf('FunctionCheckOutcome', ['ok', 'failed'], 'Whether a model would have got an answer.'),
  reason: nullable(
    oneOf(
      'FunctionCheckReason',
      ['no_secret', 'wrong_config', 'not_public', 'unreachable', 'timeout', 'too_long', 'status', 'error'],
      'Why it failed: the worker has no `FUNCTIONS_SECRET`; cannot make a request of these values; may not connect to a private address; cannot connect; got no answer in time, one that is too long, or one with a status that is not from 200 to 299; or anything else.',
    ),
  ),
  detail: nullable(Type.String({ maxLength: 500, description: 'What the worker says.' })),
  request: nullable(
    Type.Object(
      {
        method: Type.String({ maxLength: 16 }),
        url: Type.String({ maxLength: MAX_BODY }),
        headers: Headers,
        body: Body,
      },
      { title: 'FunctionCheckRequest', additionalProperties: false, description: 'What was sent; null if nothing.' },
    ),
  ),
  response: nullable(
    Type.Object(
      {
        status: Type.Integer({ minimum: 100, maximum: 999 }),
        headers: Headers,
        body: Body,
        is_cut: Type.Boolean({ description: 'Whether the body is longer.' }),
      },
      { title: 'FunctionCheckResponse', additionalProperties: false, description: 'What came back; null if nothing.' },
    ),
  ),
  latency_ms: nullable(Type.Number({ minimum: 0, maximum: 600_000, description: 'Until the whole answer.' })),
  worker: Type.String({ minLength: 1, maxLength: 255, description: 'The worker that has called it, or `unknown`.' }),
};

export const FunctionCheckResult = Type.Object(resultFields, {
  title: 'FunctionCheckResult',
  additionalProperties: false,
  description: 'The result of a task of the kind `function_check`.',
});
export type FunctionCheckResult = Static<typeof FunctionCheckResult>;

export const FunctionCheck = Type.Object(
  {
    ...resultFields,
    is_simulated: Type.Boolean({
      description: 'Whether this is the sandbox, which shows the request and calls nobody.',
    }),
  },
  {
    title: 'FunctionCheck',
    examples: [
      {
        outcome: 'ok',
        reason: null,
        detail: null,
        request: {
          method: 'POST',
          url: 'https://example.com/slots',
          headers: [{ name: 'content-type', value: 'application/json' }],
          body: '{"name":"free_slots","arguments":{"day":"Monday"},"session_id":null}',
        },
        response: { status: 200, headers: [], body: '{"slots":["10:00"]}', is_cut: false },
        latency_ms: 84,
        worker: 'worker-0:8081',
        is_simulated: false,
      },
    ],
  },
);
