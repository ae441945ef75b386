// The recorder with what fails beside it: its encoder, which is the real one, and the disk of the worker.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordingReport, SegmentCreate } from '@switchboard/client';
import { createRecorder } from '../recording/recorder.ts';

/** A recorder in an empty room, whose reports fail while `disk.isFull`. */
function recorder() {
  const disk = { isFull: false };
  const [states, segments]: [RecordingReport[], SegmentCreate[]] = [[], []];
  const errors: string[] = [];
  const written =
    <T>(all: T[]) =>
    async (_: string, one: T) => {
      if (disk.isFull) throw new Error('the disk is full');
      all.push(one);
    };
  const reports = {
    state: written(states),
    segment: written(segments),
  };
  const room = { on() {}, off() {}, remoteParticipants: new Map(), localParticipant: undefined };
  const error = (_: object, text: string) => void errors.push(text);
  return { ...createRecorder(room as never, 'mono', reports, { warn: error, error }), disk, states, segments, errors };
}

/** The encoder that this starts. */
function encoderOf(start: () => void): ChildProcess {
  let child: ChildProcess | undefined;
  const onProcess = (message: unknown) => {
    child = (message as { process: ChildProcess }).process;
  };
  subscribe('child_process', onProcess);
  start();
  unsubscribe('child_process', onProcess);
  return child ?? assert.fail('no process was started');
}

test('a recording whose encoder is killed has not ended: what is missing to the end of the call is a gap', async () => {
  for (const isKilled of [false, true]) {
    const { start, stop, states, segments, errors } = recorder();
    const encoder = encoderOf(start);
    while (segments.length === 0) await sleep(50);
    if (isKilled) encoder.kill('SIGKILL');
    while (isKilled && errors.length === 0) await sleep(20);
    await stop();
    assert.deepEqual(
      states.map(({ state }) => state),
      isKilled ? ['recording'] : ['recording', 'ended'],
    );
    assert.deepEqual(errors, isKilled ? ['the recording has failed'] : []);
  }
});

test('a recording that begins while the disk is full begins with its first sound once it is not', async () => {
  const { start, stop, disk, states, segments, errors } = recorder();
  disk.isFull = true;
  start();
  // The beginning, and a segment.
  while (errors.length < 2) await sleep(50);
  assert.equal(states.length, 0);
  disk.isFull = false;
  await stop();
  assert.deepEqual(
    states.map(({ state }) => state),
    ['recording', 'ended'],
  );
  assert.deepEqual([states[1]?.segments, segments[0]?.seq, segments[0]?.from_ms], [segments.length, 0, 0]);
});
