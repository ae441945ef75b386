import { eventually } from '@switchboard/testkit/eventually.ts';
import type { Clock } from '../../packages/server/src/lib/clock.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';

const DAY_MS = 86_400_000;
const PHONES = [
  '+15005550100',
  '+15005550101',
  '+15005550110',
  '+15005550111',
  '+15005550120',
  '+15005550121',
  '+15005550001',
  '+15005550130',
  '+15005550002',
  '+15005550131',
  '+15005550003',
];
/** Provider, type, units of one call, and price of a unit. */
const USAGE = [
  ['deepgram', 'stt_minutes', 4, '0.0077'],
  ['openai', 'llm_tokens', 52_000, '0.0000006'],
  ['cartesia', 'tts_characters', 1_900, '0.00003'],
  ['twilio', 'telephony_minutes', 4, '0.0085'],
] as const;

type Ask = (method: string, path: string, body?: object) => Promise<{ body: Record<string, unknown> }>;

/** A clock that can be moved. */
export interface Calendar extends Clock {
  /** Moves it back by this many days, to the current time of day. */
  goBack(days: number): void;
  /** Moves it forward. */
  pass(seconds: number): void;
}

/** A clock that can be set back by whole days, and continues from there. */
export function createCalendar(): Calendar {
  let backMs = 0;
  return {
    now: () => new Date(Date.now() - backMs),
    sleep: systemClock.sleep,
    goBack: (days) => {
      backMs = days * DAY_MS;
    },
    pass: (seconds) => {
      backMs -= seconds * 1000;
    },
  };
}

/** Creates a month of calls and costs, more on working days, identical each time except for the dates. */
export async function makeMonth(ask: Ask, calendar: Calendar, agents: string[]): Promise<void> {
  for (let day = 29; day >= 0; day--) {
    calendar.goBack(day);
    const isWeekend = [0, 6].includes(new Date(Date.now() - day * DAY_MS).getUTCDay());
    const calls = isWeekend ? 1 : 3 + ((day * 7) % 4);
    for (let place = 0; place < calls; place++) {
      const agent_id = agents[(day + place) % agents.length];
      const phone_number = PHONES[(day + place * 5) % PHONES.length];
      const { body: call } = await ask('POST', '/api/calls/outbound', { agent_id, phone_number });
      await ask('POST', '/api/usage/events/batch', {
        events: USAGE.map(([provider, event_type, units, unit_cost]) => ({
          session_id: call.call_id,
          user_id: 'me',
          agent_id,
          provider,
          event_type,
          unit_cost,
          quantity: String(Math.round(units * (1 + ((day * 3 + place) % 5) / 4))),
        })),
      });
      await endLater(ask, calendar, `${call.call_id}`, 60 + ((day * 37 + place * 53) % 240));
    }
  }
}

/** Waits until a call is answered, or has ended, and ends it after this many seconds. */
async function endLater(ask: Ask, calendar: Calendar, callId: string, seconds: number): Promise<void> {
  const { body } = await eventually(
    () => ask('GET', `/api/calls/${callId}/status`),
    (answer) => answer.body.call_status !== 'RINGING',
  );
  if (body.call_status !== 'ANSWERED') return;
  calendar.pass(seconds);
  await ask('POST', `/api/calls/${callId}/end`);
}
