import { FUNCTION_METHODS } from '@switchboard/client/functions';
import { Type } from 'typebox';
import { TransferType } from '../../http/wire.ts';
import type { Problem } from '../../lib/invalid.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { section, URL_PATTERN } from './model-schema.ts';

export const PHONE_PATTERN = '^\\+[1-9]\\d{1,14}$';

const Destination = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 64, description: 'How the model names it.' }),
    phone_number: Type.String({ pattern: PHONE_PATTERN, description: 'In E.164 form.' }),
    description: Type.Optional(Type.String({ maxLength: 1024, description: 'When to transfer to it, for the model.' })),
    type: Type.Optional(TransferType),
    attended: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'WARM only: the agent asks it first, while the caller hears music (docs/telephony.md).',
      }),
    ),
  },
  { additionalProperties: false },
);

export const CustomerFunction = Type.Object(
  {
    name: Type.String({ pattern: '^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$' }),
    description: Type.String({ minLength: 1, maxLength: 1024, description: 'What it does, for the model.' }),
    url: Type.String({
      pattern: URL_PATTERN,
      maxLength: 2048,
      description:
        'Receives the arguments, signed in the Standard Webhooks format. `{{name}}` behind the host is the variable or argument of that name, encoded.',
    }),
    method: Type.Optional(
      Type.Enum([...FUNCTION_METHODS], {
        type: 'string',
        title: 'FunctionMethod',
        default: 'POST',
        description: 'With GET and DELETE the arguments are in the query.',
      }),
    ),
    headers: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string', maxLength: 2048 },
        maxProperties: 20,
        description: 'Beside those of the signature. `{{name}}` is a variable or argument.',
      }),
    ),
    body: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 8192,
        description:
          'JSON in place of `{name, arguments, session_id, agent_id, user_id}`. `{{name}}` is a variable or argument: as JSON, or as text inside quotes.',
      }),
    ),
    parameters: Type.Optional(
      Type.Object(
        { type: Type.Enum(['object']) },
        { additionalProperties: true, description: 'The arguments as a JSON schema of type `object`.' },
      ),
    ),
    timeout_s: Type.Optional(Type.Number({ minimum: 0.1, maximum: 60, default: 10 })),
  },
  { additionalProperties: false },
);

const CollectDigits = Type.Object(
  {
    name: Type.String({
      pattern: '^[A-Za-z_][A-Za-z0-9_]{0,47}$',
      description: 'The model calls `collect_<name>`; `{{name}}` in the texts of functions is what was pressed.',
    }),
    description: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'What the caller is to enter, for the model.',
    }),
    max: Type.Optional(Type.Integer({ minimum: 1, maximum: 32, default: 32, description: 'The most keys.' })),
    finish_on: Type.Optional(
      Type.String({ pattern: '^[0-9*#]?$', default: '#', description: 'The key that ends the entry; empty: none.' }),
    ),
    timeout_s: Type.Optional(
      Type.Number({ minimum: 1, maximum: 60, default: 10, description: 'Without another key for so long it ends.' }),
    ),
    sensitive: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Only functions get the keys: not the model, the transcript or a log; the recording is silent.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** The hours of calls back, by the clocks where the person is. */
const [EARLIEST, LATEST] = ['09:00', '18:00'];
const TIME = '^([01]\\d|2[0-3]):[0-5]\\d$';

const CallBack = section(
  {
    enabled: Type.Optional(Type.Boolean({ default: true })),
    earliest: Type.Optional(
      Type.String({ pattern: TIME, default: EARLIEST, description: 'By the clocks where the person is.' }),
    ),
    latest: Type.Optional(Type.String({ pattern: TIME, default: LATEST })),
    max: Type.Optional(Type.Integer({ minimum: 1, maximum: 90, default: 14, description: 'The most days ahead.' })),
  },
  'Lets the model book a call back with the person: it proposes a time, reads it back, and books it once the person has answered.',
);

/** Hours for calls back that never come. */
export function problemsOfCallBack({ tools }: JsonObject, place: string): Problem[] {
  const found = isObject(tools) ? tools.call_back : null;
  if (!isObject(found)) return [];
  const { earliest = EARLIEST, latest = LATEST } = found;
  const areTimes = [earliest, latest].every((one) => typeof one === 'string' && new RegExp(TIME).test(one));
  // Times that are none are reported by the schema.
  if (!areTimes || String(earliest) <= String(latest)) return [];
  const loc = [place, 'tools', 'call_back', 'latest'];
  return [{ loc, msg: 'Input should not be earlier than `earliest`', type: 'value_error', input: latest }];
}

/** Destinations that every transfer to would be refused for: the agent cannot talk to the target of a cold one. */
export function problemsOfTransfer({ tools }: JsonObject, place: string): Problem[] {
  const transfer = isObject(tools) ? tools.transfer : null;
  const destinations: unknown = isObject(transfer) ? transfer.destinations : null;
  if (!Array.isArray(destinations)) return [];
  return destinations.flatMap((one: unknown, index) => {
    if (!isObject(one) || one.attended !== true || one.type !== 'COLD') return [];
    const loc = [place, 'tools', 'transfer', 'destinations', index, 'attended'];
    return [{ loc, msg: 'Input should be false for a COLD transfer', type: 'value_error', input: true }];
  });
}

/** Names in `recording.pause_on` that no tool has: a worker refuses such a call, as the tool would be recorded. */
export function problemsOfPauses({ recording, tools }: JsonObject, place: string): Problem[] {
  const names: unknown = isObject(recording) ? recording.pause_on : null;
  if (!Array.isArray(names)) return [];
  const known = namesOf(isObject(tools) ? tools : {});
  return names.flatMap((name: unknown, index) => {
    if (typeof name !== 'string' || known.includes(name)) return [];
    const loc = [place, 'recording', 'pause_on', index];
    return [{ loc, msg: 'Input should be the name of a tool of the agent', type: 'value_error', input: name }];
  });
}

/** The tools that a worker makes of the section. */
function namesOf({ hang_up, dtmf, transfer, call_back, collect_digits, functions }: JsonObject): string[] {
  const named = (list: unknown) => (Array.isArray(list) ? list : []).map((one: unknown) => isObject(one) && one.name);
  return [
    'sensitive_digits',
    hang_up === true && 'hang_up',
    dtmf === true && 'send_dtmf',
    isObject(transfer) && named(transfer.destinations).length > 0 && 'transfer',
    ...(isObject(call_back) && call_back.enabled !== false ? ['propose_call_back', 'confirm_call_back'] : []),
    ...named(collect_digits).map((name) => `collect_${name}`),
    ...named(functions),
  ].filter((name) => typeof name === 'string');
}

/** The section `tools` of a configuration. */
export const Tools = section(
  {
    transfer: section(
      { destinations: Type.Array(Destination, { minItems: 1, maxItems: 32 }) },
      'Lets the model transfer the call, to these destinations only. One without a `type` has that of `transfer.type`.',
    ),
    hang_up: Type.Optional(Type.Boolean({ default: false, description: 'Lets the model end the call.' })),
    dtmf: Type.Optional(Type.Boolean({ default: false, description: 'Lets the model send DTMF tones.' })),
    call_back: CallBack,
    collect_digits: Type.Optional(
      Type.Array(CollectDigits, { maxItems: 16, description: 'Keys that the model has the caller press.' }),
    ),
    functions: Type.Optional(
      Type.Array(CustomerFunction, { maxItems: 64, description: 'Functions of yours, over HTTP.' }),
    ),
  },
  'What the model may do beside talking.',
);
