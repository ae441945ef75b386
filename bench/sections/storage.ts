import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { recorder, segment } from '@switchboard/testkit/recordings.ts';
import { missingS3, startS3 } from '@switchboard/testkit/s3.ts';
import { table } from '@switchboard/testkit/table.ts';
import type { Bench } from '../support/bench.ts';
import { FAULTS, type Fault, startFaultyStore } from '../support/faulty-store.ts';
import { callIn, type Requester, recordingOf, untilState } from '../support/recorded.ts';
import type { Section } from '../support/report.ts';

const SEGMENTS = 3;
const SEGMENT_BYTES = 60_000;
/** Time for the verification to be tried. */
const TRIED_MS = 5_000;
interface Outcome {
  fault: Fault;
  /** Answers of the service to the worker's segments. */
  answers: number[];
  /** State of the recording while the fault lasts, and whether its verification is among the failing work. */
  state: string;
  isFailing: boolean;
  /** Afterwards; the worker has sent again what was not acknowledged. */
  after: string;
  isWhole: boolean;
}

/** Recordings whose store fails, in every way, and is well again. */
export async function storage(bench: Bench): Promise<Section> {
  const missing = missingS3();
  if (missing !== null) throw new Error(`A store is needed, and is ${missing}`);
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-storage-'));
  const store = await startS3(dir);
  const proxy = await startFaultyStore(store);
  const { bucket, region, accessKeyId, secretAccessKey } = store.settings;
  try {
    const { url } = await bench.startService('Switchboard', {
      DATABASE_URL: await bench.database(),
      RECORDINGS_S3_ENDPOINT: proxy.endpoint,
      RECORDINGS_S3_BUCKET: bucket,
      RECORDINGS_S3_REGION: region,
      RECORDINGS_S3_ACCESS_KEY_ID: accessKeyId,
      RECORDINGS_S3_SECRET_ACCESS_KEY: secretAccessKey,
    });
    const outcomes: Outcome[] = [];
    for (const fault of Object.keys(FAULTS) as Fault[]) outcomes.push(await suffer(url, proxy, fault));
    return sectionOf(outcomes);
  } finally {
    proxy.close();
    await store.kill();
    await rm(dir, { recursive: true, force: true });
  }
}

async function suffer(url: string, proxy: { set: (fault: Fault | null) => void }, fault: Fault): Promise<Outcome> {
  const { call_id, service } = await callIn(url);
  const of = recorder(service as Requester, call_id);
  await of.report('recording');
  const segments = Array.from({ length: SEGMENTS }, (_, seq) => segment(seq, 4_000, SEGMENT_BYTES));
  proxy.set(fault);
  const answers = await Promise.all(segments.map(async (one) => (await of.add(one)).status));
  await of.report('ended', { segments: SEGMENTS });
  await sleep(TRIED_MS);
  const { state } = await recordingOf(service, call_id);
  const work = JSON.stringify((await service.request('GET', '/api/work')).body);
  const isFailing = work.includes(of.recording_id);
  proxy.set(null);
  for (const [index, one] of segments.entries()) if (answers[index] !== 201) await of.add(one);
  await untilState(service, call_id, 'stored');
  const whole = Buffer.concat(segments.map(({ bytes }) => bytes));
  const { state: after, sha256 } = await recordingOf(service, call_id);
  const isWhole = sha256 === createHash('sha256').update(whole).digest('hex');
  return { fault, answers, state, isFailing, after, isWhole };
}

function sectionOf(outcomes: Outcome[]): Section {
  const mistaken = outcomes.filter(({ after, isWhole }) => after === 'stored' && !isWhole).length;
  const early = outcomes.filter(({ state }) => state === 'stored').length;
  const whole = outcomes.filter(({ isWhole }) => isWhole).length;
  const rows = outcomes.map(({ fault, answers, state, isFailing, after, isWhole }) => [
    fault,
    [...new Set(answers)].join(', '),
    `\`${state}\`${isFailing ? ', among the failing work' : ''}`,
    `\`${after}\`${isWhole ? ', every byte' : ''}`,
  ]);
  return {
    lines: [
      none('recordings called stored while their store fails', early),
      none('recordings called stored that are not whole', mistaken),
      {
        what: 'recordings that are whole once the store is well again',
        measured: `${whole} of ${outcomes.length}`,
        at_least: 'all',
        reached: whole === outcomes.length,
      },
    ],
    details: `A real store (VersityGW) behind a proxy that breaks its promises while a call with ${SEGMENTS} segments is recorded and ends; then it is well again, and what was not acknowledged is sent again, as a worker does from its outbox.

${table(['The store', 'answer to a segment', 'meanwhile', 'afterwards'], rows)}`,
  };
}

function none(what: string, count: number): Section['lines'][number] {
  return { what, measured: `${count}`, at_least: 'none', reached: count === 0 };
}
