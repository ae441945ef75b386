import { type Read, readScenario } from '@switchboard/scenarios/read';

/** Problems of one text that are told: a hundred of them are shown for all. */
const MOST = 100;
const TOO_LONG = {
  line: 1,
  column: 1,
  path: '',
  message: 'makes the request too long: with aliases expanded, its scenarios have more than 4 MiB',
};

process.once('message', ({ texts, max_bytes }: { texts: string[]; max_bytes: number }) => {
  let room = max_bytes;
  const all = texts.map((text): Read => {
    const read = readScenario(text);
    room -= Buffer.byteLength(JSON.stringify(read.scenario));
    if (room < 0) return { scenario: null, problems: [TOO_LONG] };
    return read.scenario ? read : { scenario: null, problems: read.problems.slice(0, MOST) };
  });
  process.send?.(all);
});
