// A worker that reports as fast as it can until it is killed: events and transcripts with the numbers from `first` on,
// events in bursts, of which some hold one that will never be taken. Prints each number when it is on the disk, and
// `refused` where one was put aside. A third of the answers to it are lost.
import { createSwitchboard, type Session } from '../../src/index.ts';
import { openOutbox } from '../../src/outbox/index.ts';
import { usageEvent } from './requests.ts';

const [dir = '', baseUrl = '', session = '', first = ''] = process.argv.slice(2);
const { room_name, ...rest } = JSON.parse(session) as Session;
const client = createSwitchboard({
  baseUrl,
  fetch: async (request) => {
    const response = await fetch(request);
    if (Math.random() < 0.33) throw new TypeError('fetch failed');
    return response;
  },
});
const outbox = await openOutbox(dir);
const log = {
  warn: () => {},
  error: (about: object, text: string) => console.log(/refused/.test(text) ? 'refused' : 'error', text, about),
};
outbox.deliver({ client, log, pollMs: 5, firstPauseMs: 5, longestPauseMs: 20 });
const [usage, talk] = [outbox.lane('usage'), outbox.lane('talk')];
const BURST = 7;
for (let number = Number(first); ; number += BURST) {
  const numbers = Array.from({ length: BURST }, (_, index) => number + index);
  const poison = Math.random() < 0.2 ? [usage.usage(usageEvent({ room_name, ...rest }, 'many'))] : [];
  await Promise.all([...numbers.map((one) => usage.usage(usageEvent({ room_name, ...rest }, String(one)))), ...poison]);
  for (const one of numbers) await talk.transcript(room_name, { content: String(one) });
  for (const one of numbers) console.log(one);
}
