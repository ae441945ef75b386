import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { recorder, segment } from '@switchboard/testkit/recordings.ts';
import type { Bench } from '../support/bench.ts';
import { residentMiB } from '../support/process-memory.ts';
import { callIn, type Requester, untilState } from '../support/recorded.ts';
import { atMost, type Section, show } from '../support/report.ts';

const LISTENERS = 100;
/** Segments of the recording, which is as long as two hours at 20 MiB. */
const [SEGMENTS, SEGMENT_BYTES] = [160, 131_072];
const FILE_MIB = (SEGMENTS * SEGMENT_BYTES) / 2 ** 20;
/** Time during which everybody listens, and reads as a player does: a little, again and again. */
const LISTEN_MS = 10_000;
const EACH_MS = 100;
/** Buffers of a connection, at most, as a share of the file. */
const SHARE = 0.05;
const KEYS: Record<string, Record<string, string>> = {
  'as it is': {},
  encrypted: { SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') },
};

/** Memory of the service while a hundred people hear one recording. */
export async function listeners(bench: Bench): Promise<Section> {
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-listeners-'));
  try {
    const lines: Section['lines'] = [];
    const details: string[] = [];
    for (const [name, env] of Object.entries(KEYS)) {
      const { url, child } = await bench.startService(name, {
        DATABASE_URL: await bench.database(),
        RECORDINGS_DIR: path.join(dir, name),
        // On a busy machine the listeners stand still for longer than a service waits for one.
        ANSWER_TIMEOUT_MS: '600000',
        ...env,
      });
      const audio = await store(url);
      // The first listener compiles what the others run.
      await hear(`${url}${audio}`, 0);
      const before = residentMiB(child.pid);
      let most = before;
      const watch = setInterval(() => {
        most = Math.max(most, residentMiB(child.pid));
      }, 50);
      const all = Array.from({ length: LISTENERS }, () => hear(`${url}${audio}`, LISTEN_MS));
      const heard = await Promise.all(all).finally(() => clearInterval(watch));
      const wrong = heard.filter((bytes) => bytes !== SEGMENTS * SEGMENT_BYTES).length;
      if (wrong > 0) throw new Error(`${wrong} of ${LISTENERS} listeners have not heard all of it`);
      lines.push(
        atMost(
          `audio ${name}: memory that each of ${LISTENERS} listeners adds, of the file`,
          (most - before) / LISTENERS,
          FILE_MIB,
          SHARE,
        ),
      );
      details.push(`audio ${name} ${show(before)} MiB before, at most ${show(most)} while all listen`);
    }
    return {
      lines,
      details: `One recording of ${FILE_MIB} MiB in a folder, ${LISTENERS} listeners at once. Each reads a piece every ${EACH_MS} ms for ${LISTEN_MS / 1_000} s, then the rest as fast as it comes; all get every byte. Resident memory of the service: ${details.join('; ')}. With all of it in memory for each of them it would be ${show(LISTENERS * FILE_MIB)} MiB.`,
    };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** The path of the audio of a stored recording. */
async function store(url: string): Promise<string> {
  const { call_id, service } = await callIn(url);
  const of = recorder(service as Requester, call_id);
  await of.report('recording');
  for (let seq = 0; seq < SEGMENTS; seq++) {
    const { status } = await of.add(segment(seq, 4_000, SEGMENT_BYTES));
    if (status !== 201) throw new Error(`a segment was answered with ${status}`);
  }
  await of.report('ended', { segments: SEGMENTS });
  await untilState(service, call_id, 'stored');
  return `/api/calls/${call_id}/recordings/${of.recording_id}/audio`;
}

/** The number of bytes, of which a piece is read at a time at first. */
async function hear(url: string, slow_ms: number): Promise<number> {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get(url, { agent: false }, resolve).on('error', reject);
  });
  if (response.statusCode !== 200) throw new Error(`the audio was answered with ${response.statusCode}`);
  const until = Date.now() + slow_ms;
  let bytes = 0;
  for await (const piece of response) {
    bytes += piece.length;
    if (Date.now() < until) await sleep(EACH_MS);
  }
  return bytes;
}
