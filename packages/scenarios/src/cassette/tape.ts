import {
  type Exchange,
  equalUntil,
  keyOf,
  type RecordedAnswer,
  type RecordedMessage,
  type RecordedRequest,
  sorted,
} from './format.ts';

/** `record` asks the models, and keeps their answers; `replay` answers with recorded ones, and asks nobody. */
export type TapeMode = 'record' | 'replay';

/** A request that a replayed conversation makes, and that was never recorded: it says how it differs. */
export class NotRecorded extends Error {}

/** Recorded traffic of the language models of one scenario. */
export interface Tape {
  mode: TapeMode;
  /** The recorded answer. Throws `NotRecorded`. */
  answerTo(request: RecordedRequest): RecordedAnswer;
  add(request: RecordedRequest, answer: RecordedAnswer): void;
  /** All that is recorded, in the order in which requests were first made. */
  exchanges(): Exchange[];
}

/** Characters of a text that is shown in a difference, from shortly before the place where it differs. */
const SHOWN = 120;
const BEFORE = 30;

/** A tape with what was recorded; a recording begins with none. */
export function createTape(mode: TapeMode, recorded: readonly Exchange[] = []): Tape {
  const exchanges = new Map<string, Exchange>();
  const asked = new Map<string, number>();
  if (mode === 'replay') for (const exchange of recorded) exchanges.set(keyOf(exchange.request), exchange);
  return {
    mode,
    answerTo: (request) => {
      const key = keyOf(request);
      const answers = exchanges.get(key)?.answers ?? [];
      const count = asked.get(key) ?? 0;
      const answer = answers[count % answers.length];
      if (!answer) throw new NotRecorded(missing(request, [...exchanges.values()]));
      asked.set(key, count + 1);
      return answer;
    },
    add: (request, answer) => {
      const key = keyOf(request);
      const known = exchanges.get(key);
      if (known) known.answers.push(answer);
      else exchanges.set(key, { request, answers: [answer] });
    },
    exchanges: () => [...exchanges.values()],
  };
}

/** How a request differs from the nearest one that was recorded. */
function missing(request: RecordedRequest, exchanges: readonly Exchange[]): string {
  const rated = exchanges.map(({ request: one }, at) => ({ one, at, likeness: likenessOf(one, request) }));
  const [nearest] = rated.sort((a, b) => b.likeness - a.likeness);
  if (!nearest) return 'Nothing is recorded: record it first.';
  const lines = differences(nearest.one, request).map((line) => `- ${line}`);
  return [`This request was never recorded. The nearest one is exchange ${nearest.at}:`, ...lines].join('\n');
}

/** Equal messages from the beginning count most, then a like length, then equal settings. */
function likenessOf(one: RecordedRequest, other: RecordedRequest): number {
  const distance = Math.abs(one.messages.length - other.messages.length);
  const same = (['models', 'parameters', 'tools'] as const).filter((part) => sorted(one[part]) === sorted(other[part]));
  // A prompt that has changed makes the first message another one, and says nothing about those after it.
  const alike = one.messages.filter((message, at) => sorted(message) === sorted(other.messages[at])).length;
  return 8 * alike - 4 * distance + same.length;
}

function differences(recorded: RecordedRequest, now: RecordedRequest): string[] {
  const settings = (['models', 'parameters'] as const).flatMap((part) =>
    sorted(recorded[part]) === sorted(now[part]) ? [] : [differenceOf(part, sorted(recorded[part]), sorted(now[part]))],
  );
  const from = equalUntil(recorded.messages, now.messages);
  const at = Math.max(recorded.messages.length, now.messages.length) > from ? from : null;
  return [
    ...settings,
    ...toolDifferences(recorded.tools, now.tools),
    ...(at === null ? [] : [differenceOf(`message ${at}`, shown(recorded.messages[at]), shown(now.messages[at]))]),
  ];
}

function toolDifferences(recorded: RecordedRequest['tools'], now: RecordedRequest['tools']): string[] {
  const byName = (tools: RecordedRequest['tools']) => new Map(tools.map((tool) => [String(tool.name), sorted(tool)]));
  const [before, after] = [byName(recorded), byName(now)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [one, other] = [before.get(name), after.get(name)];
    return one === other ? [] : [differenceOf(`tool ${name}`, one, other)];
  });
}

function shown(message: RecordedMessage | undefined): string | undefined {
  if (!message) return undefined;
  const { role, words, name, call, result } = message;
  if (role !== undefined) return `${role}: ${words}`;
  return call === undefined ? `result: ${result}` : `calls ${name} with ${sorted(message.arguments)}`;
}

function differenceOf(what: string, recorded: string | undefined, now: string | undefined): string {
  if (recorded === undefined) return `${what} is new: ${excerpt(now ?? '', 0)}`;
  if (now === undefined) return `${what} is gone: ${excerpt(recorded, 0)}`;
  let at = 0;
  while (at < recorded.length && recorded[at] === now[at]) at++;
  const from = Math.max(0, at - BEFORE);
  return `${what} was recorded as ${excerpt(recorded, from)} and now is ${excerpt(now, from)}`;
}

function excerpt(text: string, from: number): string {
  const part = text.slice(from, from + SHOWN).toWellFormed();
  return JSON.stringify(`${from > 0 ? '…' : ''}${part}${from + SHOWN < text.length ? '…' : ''}`);
}
