/** Labelled examples, with which judges are measured: a claim, conversations, and whether it holds of each. */
import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Judged } from './judge.ts';
import { type Problem, readText } from './read.ts';
import type { TraceTurn } from './trace.ts';

const object = <T extends Record<string, TSchema>>(fields: T) => Type.Object(fields, { additionalProperties: false });
const Words = Type.String({ minLength: 1, maxLength: 4_000 });
const Fields = Type.Record(Type.String(), Type.Unknown());

const Line = Type.Union([
  object({ agent: Words }),
  object({ caller: Words }),
  object({ tool: Words, args: Type.Optional(Fields), returns: Words }),
]);

const LabelledConversation = object({
  holds: Type.Boolean(),
  /** The way in which it is hard, by which results are counted too. */
  how: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
  goes_on: Type.Array(Line),
  ends: Type.Optional(Type.Enum(['caller_hung_up', 'agent_hung_up', 'transferred', 'script_over'], { type: 'string' })),
});

/** One file of examples. Those of a claim begin alike, so that neither the claim nor the beginning gives it away. */
const Labels = object({
  labels: Type.String({ minLength: 1, maxLength: 200 }),
  agent: Type.Optional(object({ key: Words })),
  model: Type.Optional(Fields),
  claims: Type.Array(
    object({
      claim: Words,
      language: Type.Optional(Type.String({ minLength: 2, maxLength: 20 })),
      begins: Type.Optional(Type.Array(Line)),
      examples: Type.Array(LabelledConversation, { minItems: 1, maxItems: 20 }),
    }),
    { minItems: 1 },
  ),
});
type Labels = Static<typeof Labels>;

export interface Example {
  claim: string;
  language: string;
  how: string;
  /** The label. */
  holds: boolean;
  judged: Judged;
}

/** A file of examples, read. */
export interface LabelSet extends Pick<Labels, 'agent' | 'model'> {
  name: string;
  examples: Example[];
}

const compiled = Compile(Labels);

/** Reads examples from YAML or JSON; otherwise every mistake, with its place. */
export function readLabels(text: string): { set: LabelSet; problems: [] } | { set: null; problems: Problem[] } {
  const { value, problems } = readText(text, compiled);
  if (value === null) return { set: null, problems };
  const { labels: name, claims, ...whose } = value;
  const examples = claims.flatMap(({ claim, language = 'en', begins = [], examples: labelled }) =>
    labelled.map(({ holds, how = 'plain', goes_on, ends: end_reason = 'caller_hung_up' }) => {
      const turns = [...begins, ...goes_on].map(turnOf);
      return { claim, language, how, holds, judged: { turns, end_reason } };
    }),
  );
  return { set: { name, examples, ...whose }, problems: [] };
}

/** A turn for each line, so that a judge reads them in the order in which they are written. */
function turnOf(line: Static<typeof Line>, at: number): TraceTurn {
  const turn = { at_ms: at * 1_000, interrupted: false, decisions: [], first_word_ms: null };
  if ('agent' in line) return { ...turn, heard: null, calls: [], words: line.agent };
  if ('caller' in line) return { ...turn, heard: line.caller, calls: [], words: '' };
  const call = { name: line.tool, arguments: line.args ?? {}, text: line.returns, isError: false, ms: 0 };
  return { ...turn, heard: null, calls: [call], words: '' };
}
