import assert from 'node:assert/strict';
import { createSwitchboard, type RecordingReport, type SegmentCreate } from '@switchboard/client';
import { openOutbox } from '@switchboard/client/outbox';
import { startProgram } from '@switchboard/testkit/program.ts';
import type { Service } from '@switchboard/testkit/service.ts';
import { installWorker, WORKER_DIR } from '@switchboard/testkit/worker.ts';

/** A call, as `worker/test/without-media.ts` is told of it. */
export interface Told {
  metadata: string;
  lines: [speaker: string, text: string][];
  tools?: object[];
  recording?: { id: string; report: RecordingReport; segments: SegmentCreate[] };
}

interface Reports {
  spoolDir: string;
  calls: Told[];
  logLevel?: string;
  isTerminal?: boolean;
  /** A message of a chat, and what the model answers. */
  chat?: { content: string; answer: string; config: object };
}

/** Has a process of a worker, which has no media server, report calls to its spool; returns its log. */
export async function reportAsWorker({ logLevel = 'info', isTerminal = false, ...input }: Reports): Promise<string> {
  await installWorker();
  const worker = startProgram([process.execPath, 'test/without-media.ts'], { cwd: WORKER_DIR });
  worker.child.stdin?.end(JSON.stringify({ logLevel, isTerminal, ...input }));
  assert.equal(await worker.exit, 0, worker.output());
  return worker.output();
}

/** Sends what is in a spool, as a worker does; returns what that logs. */
export async function deliver(service: Pick<Service, 'url'>, spoolDir: string): Promise<string> {
  const logged: unknown[] = [];
  const note = (...about: unknown[]) => void logged.push(about);
  const outbox = await openOutbox(spoolDir);
  const client = createSwitchboard({ baseUrl: service.url });
  await outbox.deliver({ client, log: { warn: note, error: note }, pollMs: 20 }).stop(60_000);
  assert.equal(await outbox.waiting(), 0, JSON.stringify(logged));
  return JSON.stringify(logged);
}
