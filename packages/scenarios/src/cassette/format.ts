/** Recorded answers of language models, with the requests that they answer, in one readable JSON file. */
import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';

export const CASSETTE_FORMAT = 'switchboard.cassette/1';
/** Bytes of one cassette as JSON without spaces. */
export const MAX_CASSETTE_BYTES = 512 * 1024;

const strict = { additionalProperties: false };
const Fields = Type.Record(Type.String(), Type.Unknown());
const Count = Type.Integer({ minimum: 0 });
const Milliseconds = (description: string) => Type.Integer({ minimum: 0, description });

const RecordedMessage = Type.Object(
  {
    role: Type.Optional(Type.String({ description: 'Whose words these are.' })),
    words: Type.Optional(Type.String()),
    call: Type.Optional(Type.Integer({ minimum: 1, description: 'A call of a tool: its number in the conversation.' })),
    name: Type.Optional(Type.String({ description: 'The tool that was called.' })),
    arguments: Type.Optional(Type.Unknown()),
    result_of: Type.Optional(Type.Integer({ minimum: 0, description: 'The number of the call that this answers.' })),
    result: Type.Optional(Type.String()),
    is_error: Type.Optional(Type.Boolean()),
  },
  { ...strict, description: 'Words, a call of a tool, or its result.' },
);

const RequestSettings = Type.Object(
  {
    models: Type.Array(Fields, { description: 'The language models that may answer, without addresses and keys.' }),
    parameters: Fields,
    tools: Type.Array(Fields),
  },
  { ...strict, description: 'The parts of a request that stay the same in a conversation.' },
);

const RecordedAnswer = Type.Object(
  {
    provider: Type.String({ description: 'Who answered; of a list, the one that did.' }),
    model: Type.String(),
    words: Type.String(),
    calls: Type.Array(
      Type.Object(
        { name: Type.String(), arguments: Type.String({ description: 'JSON, as the model wrote it.' }) },
        strict,
      ),
    ),
    usage: Type.Union([
      Type.Object(
        {
          input_tokens: Count,
          cached_tokens: Count,
          output_tokens: Count,
          cache_creation_tokens: Type.Optional(Count),
        },
        strict,
      ),
      Type.Null(),
    ]),
    first_word_ms: Type.Union([Milliseconds('Until the first word.'), Type.Null()]),
    ms: Milliseconds('Until the end of the answer.'),
  },
  strict,
);

/** The file. Of a conversation, each request is written once: as the one before it, and what was added. */
export const Cassette = Type.Object(
  {
    format: Type.Literal(CASSETTE_FORMAT),
    scenario: Type.String({ description: 'The name of the scenario in which it was recorded.' }),
    settings: Type.Array(RequestSettings),
    exchanges: Type.Array(
      Type.Object(
        {
          key: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'The SHA-256 of the whole request.' }),
          settings: Type.Integer({ minimum: 0, description: 'Which of the settings.' }),
          continues: Type.Union([
            Type.Integer({ minimum: 0, description: 'The exchange with whose messages this request begins.' }),
            Type.Null(),
          ]),
          messages: Type.Array(RecordedMessage, { description: 'Those after them.' }),
          answers: Type.Array(RecordedAnswer, {
            minItems: 1,
            description:
              'The answer to the first such request, to the second, and so on; after the last one they begin anew.',
          }),
        },
        strict,
      ),
    ),
  },
  { ...strict, title: 'Cassette' },
);

export type Cassette = Static<typeof Cassette>;
export type RecordedMessage = Static<typeof RecordedMessage>;
export type RecordedAnswer = Static<typeof RecordedAnswer>;

/** A question to a language model, without ids, addresses and keys: the same on every machine. */
export interface RecordedRequest extends Static<typeof RequestSettings> {
  messages: RecordedMessage[];
}

/** A request, with its answers in the order in which they came. */
export interface Exchange {
  request: RecordedRequest;
  answers: RecordedAnswer[];
}

const compiled = Compile(Cassette);

/** The same for equal requests, whatever the order of fields. */
export function keyOf({ models, parameters, tools, messages }: RecordedRequest): string {
  return createHash('sha256').update(sorted({ models, parameters, tools, messages })).digest('hex');
}

/** JSON with the fields of objects in alphabetical order, and without undefined ones. */
export function sorted(value: unknown): string {
  return JSON.stringify(value, (_, one) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

/** A cassette with these exchanges, in their order. Throws an `Error` if it is too large. */
export function writeCassette(scenario: string, exchanges: readonly Exchange[]): Cassette {
  const settings: Cassette['settings'] = [];
  const written = exchanges.map(({ request, answers }, at) => {
    const { models, parameters, tools, messages } = request;
    const own = { models, parameters, tools };
    const known = settings.findIndex((one) => sorted(one) === sorted(own));
    const continues = longestBeginning(messages, exchanges.slice(0, at));
    return {
      key: keyOf(request),
      settings: known === -1 ? settings.push(own) - 1 : known,
      continues,
      messages: messages.slice(continues === null ? 0 : exchanges[continues]?.request.messages.length),
      answers,
    };
  });
  const cassette = { format: CASSETTE_FORMAT, scenario, settings, exchanges: written } as const;
  const bytes = Buffer.byteLength(JSON.stringify(cassette));
  if (bytes <= MAX_CASSETTE_BYTES) return cassette;
  throw new Error(`What was recorded has ${bytes} bytes: a cassette has at most ${MAX_CASSETTE_BYTES}.`);
}

/** The newest of the exchanges whose messages these begin with, as far as possible. */
function longestBeginning(messages: readonly RecordedMessage[], earlier: readonly Exchange[]): number | null {
  let longest: { at: number; length: number } | null = null;
  for (const [at, { request }] of earlier.entries()) {
    const { length } = request.messages;
    if (length < (longest?.length ?? 1) || length > messages.length) continue;
    if (equalUntil(request.messages, messages) === length) longest = { at, length };
  }
  return longest?.at ?? null;
}

/** How many messages are the same from the beginning. */
export function equalUntil(some: readonly RecordedMessage[], others: readonly RecordedMessage[]): number {
  const end = some.findIndex((one, at) => sorted(one) !== sorted(others[at]));
  return end === -1 ? some.length : end;
}

/** The exchanges of a cassette. Throws an `Error` that says what is wrong with it. */
export function readCassette(value: unknown): Exchange[] {
  if (!compiled.Check(value)) {
    const [{ instancePath, message } = { instancePath: '', message: 'has another form' }] = compiled.Errors(value);
    throw new Error(`It is no cassette (${CASSETTE_FORMAT}): ${instancePath} ${message}`);
  }
  const exchanges: Exchange[] = [];
  for (const [at, { key, settings, continues, messages, answers }] of value.exchanges.entries()) {
    const shared = value.settings[settings];
    const before = continues === null ? [] : exchanges[continues]?.request.messages;
    if (!shared || !before) throw new Error(`Exchange ${at} of the cassette refers to something that is not there.`);
    const request = { ...shared, messages: [...before, ...messages] };
    if (keyOf(request) !== key)
      throw new Error(`The request of exchange ${at} was changed: record the cassette again.`);
    exchanges.push({ request, answers });
  }
  return exchanges;
}
