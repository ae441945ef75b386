import { createFailureLog } from '../../lib/failure-log.ts';
import type { Platform } from '../../platform.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { ToDial } from './placing.ts';
import { nextTurn } from './store.ts';

/** How often turns are looked for while there is a campaign that will have one. */
const PAUSE_MS = 250;
/** A turn that is further away is left to the rounds of upkeep, which look for all. */
const SOON_MS = 60_000;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'log'> {
  turn: () => Promise<ToDial[] | null>;
  connect: Outbound['connect'];
}

/** Gives campaigns their turns, in every process: begins when one is due, and ends when none will be soon. */
export function createDialler({ db, clock, log, turn, connect }: Deps) {
  const stopping = new AbortController();
  const failures = createFailureLog(log, 'a turn of a campaign');
  const dialling = new Set<Promise<void>>();
  let looping: Promise<void> | null = null;
  let waking = new AbortController();

  /** Gives turns until none is due. What a process that dies here has placed is settled as interrupted. */
  async function turns(): Promise<void> {
    // A turn reads the key of numbers' hashes, which need not be there where there are no campaigns.
    if (!(await isNext(0))) return;
    while (!stopping.signal.aborted) {
      const calls = await turn();
      if (calls === null) return;
      for (const call of calls) begin(call);
    }
  }

  function begin({ input, ...started }: ToDial): void {
    const begun = connect(started, input).then(
      () => {},
      (err: unknown) =>
        log.error({ err, session_id: started.session.id }, 'dialling for a campaign failed; it will be settled'),
    );
    dialling.add(begun);
    void begun.finally(() => dialling.delete(begun));
  }

  /** Whether there will be a turn within `ms`. */
  async function isNext(ms: number): Promise<boolean> {
    const next = await nextTurn(db);
    return next !== null && next.getTime() - clock.now().getTime() <= ms;
  }

  async function loop(): Promise<void> {
    for (let isBusy = true; isBusy && !stopping.signal.aborted; ) {
      await clock.sleep(PAUSE_MS, AbortSignal.any([stopping.signal, waking.signal])).catch(() => {});
      waking = new AbortController();
      try {
        await turns();
        isBusy = (await isNext(SOON_MS)) || waking.signal.aborted;
        failures.succeeded();
      } catch (err) {
        failures.failed(err);
      }
    }
  }

  function ensure(): void {
    if (looping || stopping.signal.aborted) return;
    looping = loop().finally(() => {
      looping = null;
    });
  }

  return {
    /** Looks for turns at once, in the background: a campaign has been changed here. */
    wake: (): void => {
      waking.abort();
      ensure();
    },
    /** Gives the turns that are due, and goes on in the background if there will be more soon. */
    round: async (): Promise<void> => {
      await turns();
      if (await isNext(SOON_MS)) ensure();
    },
    /** Places nothing more; resolves when what was placed is being dialled. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await looping;
      await Promise.all(dialling);
    },
  };
}
