import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { PORTS } from './support/network.ts';
import type { Phone } from './support/phones.ts';
import { recordScenario } from './support/seen.ts';
import { FULL, setUp } from './support/setup.ts';
import { allOver, isEnded, numberOf, WITHIN_MS } from './support/switchboard.ts';

const TRIES = FULL ? 5 : 1;
const group = 'trunks';
/** A port where nothing listens. */
const CLOSED = 9;
/** Longer than another trunk takes to be dialled. */
const NO_MORE_MS = 5_000;
const setup = await setUp();
const { lab } = setup;
const phones = await lab.createTrunk();
const trunks = {
  phones,
  overTcp: await lab.createTrunk({ address: `127.0.0.1:${PORTS.phonesTcp}`, transport: 'tcp' }),
  slow: await lab.createTrunk({ address: `127.0.0.1:${PORTS.slow}` }),
  refusing: await lab.createTrunk({ address: `127.0.0.1:${PORTS.refusing}` }),
  withoutLogin: await lab.createTrunk({ credentials: null }),
  closed: await lab.createTrunk({ address: `127.0.0.1:${CLOSED}`, transport: 'tcp' }),
  nowhere: await lab.createTrunk({ address: 'nowhere.invalid' }),
  unknown: 'ST_unknown',
};
type Name = keyof typeof trunks;

/**
 * Calls a phone over these trunks. The webhooks come to another process: the one that dials reads from the database
 * whether a phone has rung.
 */
async function dialOver(names: readonly Name[], phone: Phone, meanwhile: (call_id: string) => Promise<unknown>) {
  const service = await setup.startService({ PORT: '0' }, names.map((name) => trunks[name]).join());
  const { call_id, number } = await service.call(phone);
  await meanwhile(call_id);
  const call: Json = await eventually(() => service.detail(call_id), isEnded, WITHIN_MS);
  await systemClock.sleep(NO_MORE_MS);
  const dialogues = await allOver(lab, number);
  await service.end('SIGTERM');
  const used = call.trunks.map(({ trunk }: Json) => Object.entries(trunks).find(([, id]) => id === trunk)?.[0]);
  const statuses = call.trunks.map(({ sip_status_code }: Json) => sip_status_code);
  return { call, used, statuses, dialogues };
}

interface Scenario {
  over: readonly Name[];
  phone: Phone;
  /** The trunks that are tried, each with its SIP status; the last one carries the call if it has none. */
  used: [Name, number | null][];
  end_reason: string;
  /** The requests that the phones of all networks see, by dialog. */
  seen: string[][];
}

const ANSWERED = ['INVITE', 'BYE'];
const SCENARIOS: Record<string, Scenario> = {
  'no room on the first trunk (503), the second one carries the call': {
    over: ['refusing', 'phones'],
    phone: 'answers',
    used: [
      ['refusing', 503],
      ['phones', null],
    ],
    end_reason: 'ended_by_user',
    seen: [['INVITE'], ANSWERED],
  },
  'the phone is busy (486), the second trunk is not dialled': {
    over: ['phones', 'overTcp'],
    phone: 486,
    used: [['phones', 486]],
    end_reason: 'busy',
    seen: [['INVITE']],
  },
  'the phone does not exist (404), the second trunk is not dialled': {
    over: ['phones', 'overTcp'],
    phone: 404,
    used: [['phones', 404]],
    end_reason: 'invalid_number',
    seen: [['INVITE']],
  },
  'the phone rings, then the trunk fails (503), the second one is not dialled': {
    over: ['slow', 'phones'],
    phone: 503,
    used: [['slow', 503]],
    end_reason: 'trunk_failure',
    seen: [['INVITE']],
  },
  'there is audio before the answer (183), then the trunk fails (503), the second one is not dialled': {
    over: ['phones', 'overTcp'],
    phone: 'failsAfterEarlyMedia',
    used: [['phones', 503]],
    end_reason: 'trunk_failure',
    seen: [['INVITE']],
  },
  'the first trunk is unknown, the second one carries the call': {
    over: ['unknown', 'phones'],
    phone: 'answers',
    used: [
      ['unknown', null],
      ['phones', null],
    ],
    end_reason: 'ended_by_user',
    seen: [ANSWERED],
  },
  'the first trunk refuses the connection, the second one is not dialled': {
    over: ['closed', 'phones'],
    phone: 'answers',
    used: [['closed', null]],
    end_reason: 'trunk_failure',
    seen: [],
  },
  'the first trunk has no address, the second one is not dialled': {
    over: ['nowhere', 'phones'],
    phone: 'answers',
    used: [['nowhere', null]],
    end_reason: 'trunk_failure',
    seen: [],
  },
  'the first trunk has no credentials (401), the second one carries the call': {
    over: ['withoutLogin', 'overTcp'],
    phone: 'wantsCredentials',
    used: [
      ['withoutLogin', null],
      ['overTcp', null],
    ],
    end_reason: 'ended_by_user',
    seen: [['INVITE'], ['INVITE', 'INVITE', 'BYE']],
  },
};

suite('several trunks', { concurrency: 2 }, () => {
  for (const [scenario, { over, phone, used, end_reason, seen }] of Object.entries(SCENARIOS)) {
    test(scenario, async () => {
      const isAnswered = end_reason === 'ended_by_user';
      for (let round = 0; round < TRIES; round++) {
        const hangUp = async (call_id: string) => {
          await setup.service.reaches(call_id, 'ANSWERED');
          assert.equal((await setup.service.post(`/api/calls/${call_id}/end`)).status, 200);
        };
        const found = await dialOver(over, phone, isAnswered ? hangUp : async () => {});
        assert.deepEqual(found.call.end_reason, end_reason);
        assert.deepEqual(
          found.used.map((name: Name, index: number) => [name, found.statuses[index]]),
          used,
        );
        assert.deepEqual(found.dialogues, seen);
        const { call_status, sip_status_code } = found.call;
        const requests = found.dialogues.map((requests) => requests.join(', ')).join('; ');
        recordScenario({ group, scenario, call_status, end_reason, sip_status_code, phone: requests });
      }
    });
  }
});

test('a warm transfer: no room for its target on the first trunk (503), the second one carries it', async () => {
  const service = await setup.startService({ PORT: '0' }, `${trunks.refusing},${trunks.phones}`);
  const { call_id, number } = await service.call('answers');
  await service.reaches(call_id, 'ANSWERED');
  const target = numberOf('answers');
  const body = { phone_number: target, type: 'WARM' };
  assert.equal((await service.post(`/api/sessions/${call_id}/transfer`, body)).status, 200);
  const { transfers } = await eventually(
    () => service.detail(call_id),
    (call) => call.transfers[0]?.status !== 'pending' || isEnded(call),
    WITHIN_MS,
  );
  assert.equal(transfers[0].status, 'connected', JSON.stringify(transfers));
  assert.equal((await service.post(`/api/calls/${call_id}/end`)).status, 200);
  for (const phone of [number, target]) assert.deepEqual(await allOver(lab, phone), [['INVITE'], ANSWERED]);
});
