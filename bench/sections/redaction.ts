import { createSwitchboard } from '@switchboard/client';
import { createRedactor } from '@switchboard/redaction';
import { KINDS } from '@switchboard/redaction/types';
import type { Bench } from '../support/bench.ts';
import { type Figures, measureCalls, mediansOf, ratios } from '../support/figures.ts';
import { post } from '../support/inputs.ts';
import { type Requests, type Sent, writeRequests } from '../support/load.ts';
import { atMost, type Section } from '../support/report.ts';

const ROOMS = 500;
const CONNECTIONS = 64;
const [WARM_UP_S, ROUNDS, ROUND_S] = [3, 7, 3];
/** Lines of a worker, which are redacted already. */
const CONTENTS = [
  'I would like to move my appointment to Thursday, if that is possible, at any time after four.',
  'My card is [card], and you reach me at [phone].',
];
/** Lines that take longest: digits in words, and a number of each kind. */
const LINES = [
  ...CONTENTS,
  'My card is 4242 4242 4242 4242, expiry 12 28.',
  'four two four two four two four two four two four two four two four two',
  'It is john dot smith at example dot com, or (415) 555-2671.',
  'Auf DE89 3704 0044 0532 0130 00 bitte.',
];
/** A minute of speech without a pause, at 150 words a minute, with a card number. */
const MINUTE = [...Array<string>(9).fill(LINES[0] ?? ''), LINES[2]].join(' ');
/** All lines in one, so many times. */
const manyOf = (count: number) => Array<string>(count).fill(LINES.join(' ')).join(' ');
/** Characters that are redacted in a measurement. */
const CHARACTERS = 1_200_000;

/** Transcripts of agents with and without `privacy.redact`: processor time, and the time that a line takes. */
export async function redaction(bench: Bench): Promise<Section> {
  const database = await bench.database();
  const service = { ...(await bench.startService('Switchboard', { DATABASE_URL: database })), database };
  const { url } = service;
  const plain = writeRequests(await rooms(url, 'plain', {}));
  const redacted = writeRequests(await rooms(url, 'redacted', { privacy: { redact: [...KINDS] } }));
  const measure = (requests: Requests, seconds: number) => measureCalls(service, requests, CONNECTIONS, seconds);
  for (const requests of [plain, redacted]) await measure(requests, WARM_UP_S);
  const measured: Record<'plain' | 'redacted', Figures[]> = { plain: [], redacted: [] };
  for (let round = 0; round < ROUNDS; round++) {
    measured.plain.push(await measure(plain, ROUND_S));
    measured.redacted.push(await measure(redacted, ROUND_S));
  }
  for (const requests of [plain, redacted]) requests.remove();
  const [usual, cost] = [mediansOf(measured.plain), mediansOf(measured.redacted)];
  const more = ratios(measured.redacted, measured.plain);
  const slowest = Math.max(...LINES.map(microsecondsOf));
  const minute = microsecondsOf(MINUTE);
  const [long, longest] = [manyOf(10), manyOf(100)];
  const perCharacter = (line: string) => microsecondsOf(line) / line.length;
  return {
    lines: [
      atMost('time of a transcript that is redacted, of one that is not', 1 / more.per_second, 1, 1.05),
      atMost('processor time of the service for it, of that for one that is not', more.service_us, 1, 1.05),
      atMost('the slowest line, of a millisecond', slowest, 1_000, 1),
      atMost('a minute of speech in one line, of a millisecond', minute, 1_000, 1),
      atMost(
        `a line of ${longest.length} characters: time of each, of that in one of ${long.length}`,
        perCharacter(longest),
        perCharacter(long),
        1.5,
      ),
    ],
    details: `${CONNECTIONS} connections, ${ROUNDS} interleaved rounds of ${ROUND_S} s, and medians of their ratios: ${usual.service_us.toFixed(1)} µs of the service’s processor and ${usual.postgres_us.toFixed(1)} of PostgreSQL’s for a transcript as it was said, ${cost.service_us.toFixed(1)} and ${cost.postgres_us.toFixed(1)} for one that is redacted. The slowest of ${LINES.length} lines takes ${slowest.toFixed(0)} µs, and one of ${MINUTE.length} characters, with a card number in it, ${minute.toFixed(0)} µs. All of them a hundred times in one line, ${longest.length} characters: ${((longest.length * perCharacter(longest)) / 1_000).toFixed(0)} ms.`,
  };
}

async function rooms(url: string, name: string, config: Record<string, unknown>): Promise<Sent[]> {
  const client = createSwitchboard({ baseUrl: url });
  const { id: agent_id } = await client.agents.create({ name, user_id: 'user-1', config });
  const sent: Sent[] = [];
  for (let index = 0; index < ROOMS; index++) {
    const room_name = `${name}-${index}`;
    await client.sessions.create({ user_id: 'user-1', room_name, agent_id });
    for (const content of CONTENTS)
      sent.push(post(`/api/sessions/by-room/${room_name}/transcripts`, { speaker: 'USER', content }));
  }
  return sent;
}

function microsecondsOf(line: string): number {
  const conversation = createRedactor({ kinds: KINDS, language: 'en-US' }).conversation();
  const times = Math.ceil(CHARACTERS / line.length);
  const repeat = () => {
    for (let time = 0; time < times; time++) conversation.redact('USER', line);
  };
  repeat();
  const begun = performance.now();
  repeat();
  return ((performance.now() - begun) * 1_000) / times;
}
