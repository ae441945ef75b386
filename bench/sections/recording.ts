import path from 'node:path';
import { startProgram } from '@switchboard/testkit/program.ts';
import { installWorker, WORKER_DIR } from '@switchboard/testkit/worker.ts';
import { atMost, loadOfMachine, type Section, show } from '../support/report.ts';

/** Minutes of a call: the shorter and the longer one of docs/recordings.md. */
const [SHORT, LONG] = [2, 120];
const PATIENCE_MS = 1_800_000;
const MOST_MIB = 10;
/** 5 % of the processor time that a minute of a call takes, which `capacity` measures: 10 s. */
const MOST_S = 0.5;

/** Figures of the recording of a call. */
interface Figures {
  /** Processor time of a minute, in the process of the call and in the encoder. */
  mixer_ms: number;
  encoder_ms: number;
  /** Memory in use: of the process before it records, and of both after the shorter and the longer time. */
  before_mib: number;
  early_mib: number;
  late_mib: number;
}

/** The share of the worker's machine that the recording of a call takes, and whether a long one takes more. */
export async function recording(): Promise<Section> {
  const { mixer_ms, encoder_ms, before_mib, early_mib, late_mib } = await recorded();
  const [cpu_ms, added] = [mixer_ms + encoder_ms, early_mib - before_mib];
  return {
    lines: [
      {
        what: 'processor time of a recorded minute',
        measured: `${show(cpu_ms / 1_000)} s`,
        at_least: `at most ${MOST_S} s, 5 % of a call’s (capacity)`,
        reached: cpu_ms / 1_000 <= MOST_S,
      },
      {
        what: 'memory that a recording adds',
        measured: `${show(added)} MiB`,
        at_least: `at most ${MOST_MIB} MiB`,
        reached: added <= MOST_MIB,
      },
      atMost(`memory after ${LONG} minutes, of that after ${SHORT}`, late_mib, early_mib, 1),
    ],
    details: `Two sides that speak in turn, in stereo, through the worker’s own mixer, meter, encoder and segments, without a call and as fast as they go. Of a minute: ${show(mixer_ms)} ms in the process of the call, ${show(encoder_ms)} ms in the encoder, together ${show(cpu_ms / 600)} % of a core while it lasts. Memory in use, that of the encoder included: ${show(before_mib)} MiB before, ${show(early_mib)} after ${SHORT} minutes, ${show(late_mib)} after ${LONG}. The media server’s library, from which the worker has the sound in any case, is not in it, nor is the outbox.

${loadOfMachine()}`,
  };
}

async function recorded(): Promise<Figures> {
  await installWorker();
  const file = path.join(WORKER_DIR, 'bench/recording.ts');
  const recording = startProgram([process.execPath, '--expose-gc', file, String(SHORT), String(LONG)], {
    showErrors: true,
  });
  const line = await recording.until((output) => /^\{.*\}$/m.exec(output)?.[0], PATIENCE_MS);
  await recording.exit;
  return JSON.parse(line) as Figures;
}
