import { type Read, readScenario } from '@switchboard/scenarios/read';

const TOO_LONG = { line: 1, column: 1, path: '', message: 'is too long, with its aliases and the scenarios before it' };

process.once('message', ({ texts, max_bytes }: { texts: string[]; max_bytes: number }) => {
  let room = max_bytes;
  const all = texts.map((text): Read => {
    const read = readScenario(text);
    room -= Buffer.byteLength(JSON.stringify(read.scenario));
    return room < 0 ? { scenario: null, problems: [TOO_LONG] } : read;
  });
  process.send?.(all);
});
