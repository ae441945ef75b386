// A campaign through a year of simulated time, with a leap day, changes of clocks, and clocks that jump.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { writeSection } from '@switchboard/testkit/section.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { createSandboxMedia, type SandboxMedia } from '../../packages/server/src/providers/sandbox/media.ts';
import { LIMITS, outreach } from '../../packages/server/test/support/campaigns.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ATTEMPTS = 3;
const DELAY_DAYS = 30;
const [BEGIN, END] = ['2027-12-20T00:00:00.000Z', Date.parse('2028-12-31T00:00:00Z')];
const ZONES = [
  'America/Los_Angeles',
  'America/New_York',
  'America/St_Johns',
  'America/Asuncion',
  'Africa/Casablanca',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
  'UTC',
];
/** Further people are added just before changes of clocks and the leap day. */
const ADDED_AT = ['2028-02-28T12:00', '2028-03-25T12:00', '2028-10-04T12:00'];
/** Jumps of the clock, in hours: a machine that was set wrong, or has slept. */
const JUMPS = [-3, 9 * 24, -26, 40, -1];
const JUMP_EVERY_DAYS = 50;
const BACK = 26 * HOUR;

/** The same numbers in each run. */
function createRandom() {
  let state = 7;
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state % below;
  };
}

interface Dialled {
  phone_number: string;
  at: Date;
}

/** A sandbox that notes when it dials by the clock of the service. */
function datingMedia(now: () => Date) {
  const dialled: Dialled[] = [];
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const media: SandboxMedia = {
    ...sandbox,
    dial: (request, canceled) => {
      dialled.push({ phone_number: request.phone_number, at: now() });
      return sandbox.dial(request, canceled);
    },
  };
  return { media, dialled };
}

/** Numbers of the sandbox's people who are busy: their last two digits are below ten. */
const busy = (n: number) => `+1500556${String(Math.floor(n / 10)).padStart(2, '0')}0${n % 10}`;

/** People who are always busy, one in each zone. */
const peopleOf = (batch: number) =>
  ZONES.map((time_zone, index) => ({
    phone_number: busy(batch * ZONES.length + index),
    external_id: `${batch}-${index}`,
    time_zone,
  }));

const figures = { dials: 0, turns: 0, jumps: JUMPS.length, leapDay: 0, people: 0 };
after(() =>
  writeSection(
    14,
    'year',
    `A campaign of ${figures.people} people in ${ZONES.length} zones, who are always busy, is taken from December 2027 to December 2028 in ${figures.turns} steps, with ${figures.jumps}
jumps of the clock by up to nine days forward and ${BACK / HOUR} hours back: ${figures.dials} calls, each within the hours of its person by the runtime's clock, ${figures.leapDay} of
them on the leap day, and ${ATTEMPTS} for each person, at least ${DELAY_DAYS} days apart.`,
  ),
);

test('through a year each person is called within the hours, as often and as far apart as was asked', {
  timeout: 600_000,
}, async () => {
  const clock = createTestClock(BEGIN);
  const { media, dialled } = datingMedia(clock.now);
  const service = await startService({ clock, media, env: { ...LIMITS, AUDIT_RETENTION_DAYS: '800' } });
  const { db } = service.database;
  const { ok, create, add, act, get } = await outreach(service);
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  await ok('PUT', '/api/dial-policies/hours', {
    windows: [{ days, from: '09:00', to: '17:00' }],
    holidays: [{ date: '12-25' }],
    min_gap_s: 86_400,
  });
  const retries = { attempts: ATTEMPTS, on: ['busy'], delays_s: [DELAY_DAYS * 86_400], spread: 0 };
  const id = await create({ policy: 'hours', retries });
  const batches = [peopleOf(0)];
  await add(id, batches[0] ?? []);
  await act(id, 'start');
  const random = createRandom();
  const settled = async () => {
    await service.app.reconcile();
    const { rows } = await sql<{ open: number; all: number; turns: number }>`
      select (count(*) filter (where outcome is null))::int as open, count(*)::int as all, (
          select count(*)::int from campaigns where turn_at <= ${clock.now().toISOString()}::timestamptz
        ) as turns
      from campaign_attempts where campaign_id = ${id}::uuid`.execute(db);
    // The service may be giving a turn in the background.
    const { open = 1, all = 0, turns = 1 } = rows[0] ?? {};
    // Calls are settled in a later turn. No time passes while one is on its way to its phone.
    if (open > 0 && turns === 0 && all === dialled.length) clock.advance(1_000);
    return { open: open + turns, all };
  };
  /** Some hours, and most of the time where nobody is to be called for days. */
  const pause = async () => {
    const { rows } = await sql<{ next: Date | null }>`
      select min(next_at) as next from campaign_recipients where campaign_id = ${id}::uuid`.execute(db);
    const added = toAdd[0] ? Date.parse(`${toAdd[0]}Z`) : END;
    const ahead = Math.min(rows[0]?.next?.getTime() ?? added, added) - clock.now().getTime();
    return Math.max((1 + random(18)) * HOUR, Math.floor((0.8 * ahead) / HOUR) * HOUR);
  };
  const toAdd = [...ADDED_AT];
  let lastJump = clock.now().getTime();
  const jumps = [...JUMPS];
  for (; clock.now().getTime() < END; figures.turns++) {
    await eventually(settled, ({ open, all }) => open === 0 && all === dialled.length, 300_000);
    const now = clock.now().getTime();
    if (toAdd[0] && now >= Date.parse(`${toAdd[0]}Z`)) {
      toAdd.shift();
      const more = peopleOf(batches.length);
      batches.push(more);
      await add(id, more);
      continue;
    }
    if (now - lastJump > JUMP_EVERY_DAYS * DAY && jumps[0] !== undefined) {
      lastJump = now;
      clock.advance((jumps.shift() ?? 0) * HOUR);
    } else clock.advance(await pause());
  }
  const people = batches.flat();
  assert.equal(jumps.length + toAdd.length, 0);
  assertWithinHours(dialled, new Map(people.map(({ phone_number, time_zone }) => [phone_number, time_zone])));
  const { state, recipients } = await get(id);
  assert.deepEqual([state, recipients.exhausted, recipients.total], ['completed', people.length, people.length]);
  Object.assign(figures, { dials: dialled.length, people: people.length });
  await service.close();
});

function assertWithinHours(dialled: Dialled[], zones: Map<string, string>): void {
  const byNumber = Map.groupBy(dialled, ({ phone_number }) => phone_number);
  assert.equal(byNumber.size, zones.size, 'everybody was called');
  for (const [number, all] of byNumber) {
    assert.equal(all.length, ATTEMPTS, number);
    const two = { month: '2-digit', day: '2-digit', hour: '2-digit', hourCycle: 'h23' } as const;
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zones.get(number) ?? '', ...two });
    for (const [index, { at }] of all.entries()) {
      const [, month = '', day = '', hour = ''] = /(\d\d)\/(\d\d), (\d\d)/.exec(format.format(at)) ?? [];
      const what = `${number} ${at.toISOString()} ${zones.get(number)}`;
      assert.ok(Number(hour) >= 9 && Number(hour) < 17 && `${month}-${day}` !== '12-25', what);
      if (`${month}-${day}` === '02-29') figures.leapDay++;
      const before = all[index - 1]?.at.getTime() ?? Number.NEGATIVE_INFINITY;
      // Less only where the clock was set back meanwhile, and the end of the call before is in its future.
      assert.ok(at.getTime() - before >= DELAY_DAYS * DAY, what);
    }
  }
  assert.ok(figures.leapDay > 0, 'nobody was called on the leap day');
}
