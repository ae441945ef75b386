import { eventually } from '@switchboard/testkit/eventually.ts';
import type { Page } from 'playwright-core';

/** Frames of a page during some work, in milliseconds. */
export interface Frames {
  /** The longest time between two frames, in wall time. */
  longest_ms: number;
  /** The longest task of the page's main thread, in CPU time: other programs do not count. */
  task_ms: number;
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds of CPU time. */
  tdur?: number;
  args: { name?: string };
}

const WATCH = `(() => {
  const watch = { longest_ms: 0, isOver: false };
  let last = performance.now();
  requestAnimationFrame(function next(now) {
    watch.longest_ms = Math.max(watch.longest_ms, now - last);
    last = now;
    if (!watch.isOver) requestAnimationFrame(next);
  });
  window.watchedFrames = watch;
})()`;
const END_WATCH = '(() => { window.watchedFrames.isOver = true; return window.watchedFrames.longest_ms; })()';
/** Scrolls half a page per frame, from the start of the list. */
const SWEEP = `new Promise((resolve) => {
  const frame = document.querySelector('.virtual-frame');
  frame.scrollTop = 0;
  let steps = 0;
  requestAnimationFrame(function next() {
    frame.scrollTop += frame.clientHeight / 2;
    steps++;
    if (steps === 200) resolve();
    else requestAnimationFrame(next);
  });
})`;

/** Measures the frames of a page, from inside it and by Chromium's trace, until the work is done. */
export async function watchFrames(page: Page, work: () => Promise<unknown>): Promise<Frames> {
  const browser = page.context().browser();
  if (!browser) throw new Error('the page has no browser');
  await page.evaluate(WATCH);
  await browser.startTracing(page, { categories: ['-*', 'toplevel'] });
  await work();
  const trace = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] };
  return { longest_ms: await page.evaluate<number>(END_WATCH), task_ms: longestTask(trace.traceEvents) };
}

function longestTask(events: TraceEvent[]): number {
  const mains = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  const threads = new Set(mains.map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = events.filter(
    ({ name, pid, tid }) => name === 'ThreadControllerImpl::RunTask' && threads.has(`${pid} ${tid}`),
  );
  if (tasks.length === 0) throw new Error('the trace has no task of the page');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

/** Scrolls a virtual table from its start, frame by frame. */
export async function sweep(page: Page): Promise<void> {
  await page.evaluate(SWEEP);
}

/** Scrolls a virtual table down until it has this height: it loads more rows meanwhile. */
export async function scrollTo(page: Page, height: number): Promise<void> {
  const down = `(() => {
    const frame = document.querySelector('.virtual-frame');
    frame.scrollTop = frame.scrollHeight;
    return frame.scrollHeight;
  })()`;
  await eventually(
    () => page.evaluate<number>(down),
    (reached) => reached >= height,
  );
}
