/**
 * Records two sides without a call, faster than they could speak: what that takes of processor and memory.
 * `npm run bench -- recording` starts it; it prints its figures.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEncoder } from '../recording/encoder.ts';
import { createLevels } from '../recording/levels.ts';
import { createMixer, samplesIn } from '../recording/mixer.ts';
import { createSegments } from '../recording/segments.ts';

const [short_min = 0, long_min = 0] = process.argv.slice(2).map(Number);
const [FRAME_MS, TICK_MS, TURN_MS] = [20, 100, 4_000];
/** Sound that the encoder may be behind: in a call it is behind by nothing. */
const BEHIND_MS = 10_000;
/** Clock ticks of /proc are hundredths of a second. */
const MS_A_TICK = 10;

/** Noise with the beat of syllables, and silence: a frame of somebody who speaks, and of somebody who listens. */
const SPEAKS = Array.from({ length: 50 }, (_, nth) =>
  Int16Array.from(
    { length: samplesIn(FRAME_MS) },
    (_, at) => Math.sin(nth / 3) * (Math.random() - 0.5 + Math.sin(at / 9)) * 6_000,
  ),
);
const LISTENS = new Int16Array(samplesIn(FRAME_MS));

const encoderCpuMs = (pid: number) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * MS_A_TICK;
};
/** Memory that a process shares with no file, in MiB. */
const ownMiB = (pid: number) =>
  Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
/** Memory that this process holds, without what nobody needs: buffers are freed a moment after their owners. */
async function heldMiB(): Promise<number> {
  for (let time = 0; time < 3; time++) {
    globalThis.gc?.();
    await sleep(50);
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}

/** Records so many minutes; the memory is that of both processes, after the first minutes and at the end. */
async function record(minutes: number) {
  let [now, written] = [0, 0];
  const mixer = createMixer('stereo', () => now);
  const levels = createLevels('stereo');
  const write = async ({ to_ms }: { to_ms: number }) => {
    written = to_ms;
  };
  const fail = (error: unknown) => {
    throw error;
  };
  const segments = createSegments(write, fail, levels, mixer.pausesIn);
  const encoder = startEncoder('stereo', segments.add, fail);
  const pid = encoder.pid ?? 0;
  const [agent, others] = [mixer.track('agent'), mixer.track('others')];
  const memory = async () => (await heldMiB()) + ownMiB(pid);
  const cpu = process.cpuUsage();
  let early = 0;
  for (now = FRAME_MS; now <= minutes * 60_000; now += FRAME_MS) {
    const frame = SPEAKS[(now / FRAME_MS) % SPEAKS.length] ?? LISTENS;
    const isAgent = Math.floor(now / TURN_MS) % 2 === 0;
    agent.add(isAgent ? frame : LISTENS);
    others.add(isAgent ? LISTENS : frame);
    if (now % TICK_MS > 0) continue;
    const samples = mixer.take();
    levels.add(samples);
    encoder.write(samples);
    while (now - written > BEHIND_MS) await sleep(1);
    if (now === short_min * 60_000) early = await memory();
  }
  const late = await memory();
  const encoder_ms = encoderCpuMs(pid);
  const { user, system } = process.cpuUsage(cpu);
  await encoder.end();
  await segments.end();
  return { early, late, encoder_ms, mixer_ms: (user + system) / 1_000 };
}

// Compiled.
await record(short_min);
const before_mib = await heldMiB();
const { early, late, encoder_ms, mixer_ms } = await record(long_min);
console.log(
  JSON.stringify({
    mixer_ms: mixer_ms / long_min,
    encoder_ms: encoder_ms / long_min,
    before_mib,
    early_mib: early,
    late_mib: late,
  }),
);
process.exit(0);
