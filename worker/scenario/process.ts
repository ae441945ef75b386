// Holds the conversations of a scenario. The worker starts this process for each one, and kills it.
import { initializeLogger } from '@livekit/agents';
import type { ScenarioTask, ScenarioTaskResult } from '@switchboard/client';
import { type Cassette, readCassette, writeCassette } from '@switchboard/scenarios/cassette';
import type { Outcome } from '@switchboard/scenarios/outcome';
import { createTape } from '@switchboard/scenarios/tape';
import type { ModelSettings } from '../conversation/models.ts';
import { orBook, readPrices } from '../switchboard/prices.ts';
import { messageOf } from '../tasks/failure.ts';
import type { MediaServer } from './audio/room.ts';
import { hold } from './hold.ts';
import { NotAnswered } from './not-answered.ts';
import { createUsage } from './usage.ts';

/** How it went, or why the conversations could not be held. */
export type Held =
  | { outcome: Outcome & Pick<ScenarioTaskResult, 'used'> & { cassette?: Cassette } }
  | { error: string; isRetryable: boolean };

interface Asked {
  task: ScenarioTask;
  task_id: string;
  media: MediaServer;
  phoneHost: string | null;
  models: ModelSettings;
  pricesFile: string | null;
}

async function answer({ task, task_id, media, phoneHost, models, pricesFile }: Asked): Promise<Held> {
  try {
    const { mode, recorded = null } = task.cassette ?? {};
    const tape = mode ? createTape(mode, recorded === null ? [] : readCassette(recorded)) : null;
    const prices = orBook(readPrices(pricesFile), task.prices ?? []);
    const usage = createUsage(prices);
    const held = await hold(task, { models, prices, tape, onUsed: usage.add, rooms: { media, phoneHost, task_id } });
    const outcome = { ...held, used: usage.booked() };
    if (tape?.mode !== 'record') return { outcome };
    return { outcome: { ...outcome, cassette: writeCassette(String(task.scenario.scenario), tape.exchanges()) } };
  } catch (error) {
    return { error: messageOf(error), isRetryable: error instanceof NotAnswered && error.isRetryable };
  }
}

initializeLogger({ pretty: false, level: 'silent' });
process.once('message', async (asked: Asked) => process.send?.(await answer(asked)));
// The worker has been killed.
process.once('disconnect', () => process.exit());
