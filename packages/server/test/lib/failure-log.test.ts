import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { createFailureLog, throwAll } from '../../src/lib/failure-log.ts';

function logged() {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  return { lines, failures: createFailureLog(log, 'repairing') };
}

function roundOf(...failures: unknown[]): unknown {
  try {
    throwAll(failures);
  } catch (error) {
    return error;
  }
  return null;
}

test('one failure of a round is thrown as it is, none throws nothing', () => {
  const failure = new Error('refused');
  assert.equal(roundOf(failure), failure);
  assert.equal(roundOf(), null);
});

test('a failure that joins one that repeats is logged, with what failed; the same ones again are not', () => {
  const { lines, failures } = logged();
  const agent = () => new Error('agent a', { cause: new Error('refused') });
  failures.failed(roundOf(agent()));
  failures.failed(roundOf(agent()));
  assert.equal(lines.length, 1);
  failures.failed(roundOf(agent(), new Error('no route')));
  failures.failed(roundOf(new Error('no route'), agent()));
  assert.equal(lines.length, 2);
  assert.match(lines[1] ?? '', /agent a.*refused.*no route/s);
  failures.succeeded();
  assert.equal(lines.length, 3);
});

test('a failure with another cause is logged again', () => {
  const { lines, failures } = logged();
  for (const why of ['refused', 'refused', 'timeout'])
    failures.failed(roundOf(new Error('agent a', { cause: new Error(why) })));
  assert.equal(lines.length, 2);
});
