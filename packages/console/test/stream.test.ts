import assert from 'node:assert/strict';
import { on } from 'node:events';
import { mock, test } from 'node:test';
import type { Switchboard } from '@switchboard/client';
import { openStream } from '../src/data/stream.ts';

test('a tab that is opened in the background closes its stream after a minute, and opens it again once it is seen', (t) => {
  const tab = Object.assign(new EventTarget(), { visibilityState: 'hidden' });
  Object.assign(globalThis, { document: tab });
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => {
    mock.timers.reset();
    Reflect.deleteProperty(globalThis, 'document');
  });
  const opened: AbortSignal[] = [];
  const follow = ({ signal }: { signal: AbortSignal }) => {
    opened.push(signal);
    return on(tab, 'event', { signal });
  };
  const stream = openStream(() => ({ events: { follow } }) as unknown as Switchboard);
  const areOpen = () => opened.map(({ aborted }) => !aborted);
  mock.timers.tick(59_999);
  assert.deepEqual(areOpen(), [true]);
  mock.timers.tick(1);
  assert.deepEqual(areOpen(), [false]);
  tab.visibilityState = 'visible';
  tab.dispatchEvent(new Event('visibilitychange'));
  mock.timers.tick(60_000);
  assert.deepEqual(areOpen(), [false, true]);
  stream.close();
  assert.deepEqual(areOpen(), [false, false]);
});
