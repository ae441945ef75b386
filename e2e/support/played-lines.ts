import type { Page } from 'playwright-core';

/** A line of a transcript, and where the audio was when it was marked, in seconds. */
interface Played {
  id: string;
  at: number;
}

const NOTE = `() => {
  const [audio, transcript] = ['audio', '.transcript'].map((one) => document.querySelector(one));
  window.played = [];
  const note = () => {
    const id = transcript.querySelector('[aria-current]')?.dataset.line;
    if (id && id !== played.at(-1)?.id) played.push({ id, at: audio.currentTime });
  };
  new MutationObserver(note).observe(transcript, { subtree: true, attributeFilter: ['aria-current'] });
  note();
}`;

/** Notes the lines that a call's page marks while its recording is played; returns what tells those so far. */
export async function notePlayedLines(page: Page): Promise<() => Promise<Played[]>> {
  await page.evaluate(`(${NOTE})()`);
  return () => page.evaluate<Played[]>('played');
}
