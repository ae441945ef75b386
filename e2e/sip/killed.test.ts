import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { verifyRollups } from '@switchboard/testkit/rollups.ts';
import { callIn } from './support/callers.ts';
import { ownNumber, sessionOf } from './support/inbound.ts';
import type { Phone } from './support/phones.ts';
import { recordFigure, recordScenario } from './support/seen.ts';
import { FULL, setUp } from './support/setup.ts';
import { isEnded, numberOf, sees, startLabWorker, USER, untilAgentJoined, WITHIN_MS } from './support/switchboard.ts';
import { type Dialogue, isOver, requestsOf } from './support/trace.ts';

const ROUNDS = FULL ? 5 : 1;
/** Events that each call logs while a process is killed. */
const USES = 5;
const setup = await setUp({ RINGING_TIMEOUT_S: '12' });
const { lab, service } = setup;
const numbers = { ringing: await ownNumber(setup, { join_after_ms: 6000 }), talking: await ownNumber(setup, {}) };

/** A call in its phase, with every phone that it may ring. */
interface Started {
  call_id: string;
  phones: string[];
}

async function talking(phone: Phone): Promise<Started & { room_name: string }> {
  const call = await service.call(phone);
  await service.reaches(call.call_id, 'ANSWERED');
  await untilAgentJoined(lab, call);
  return { ...call, phones: [call.number] };
}

async function ringing(phone: Phone): Promise<Started> {
  const { call_id, number } = await service.call(phone);
  await sees(lab, number, 'INVITE');
  return { call_id, phones: [number] };
}

async function transferring(phone: Phone, type: 'COLD' | 'WARM', target: string): Promise<Started> {
  const { call_id, phones } = await talking(phone);
  // The response may be lost with the killed process.
  service.post(`/api/sessions/${call_id}/transfer`, { phone_number: target, type }).catch(() => {});
  return { call_id, phones: [...phones, target] };
}

/** The phases that a call can be in when a process dies. */
const PHASES: Record<string, () => Promise<Started>> = {
  ringing: () => ringing('answersLate'),
  'ringing, never answered': () => ringing('ringsOut'),
  talking: () => talking('answers'),
  'cold transfer': async () => {
    const call = await transferring('takesReferLate', 'COLD', '+14155550123');
    await sees(lab, call.phones[0] ?? '', 'REFER');
    return { ...call, phones: call.phones.slice(0, 1) };
  },
  'warm transfer, ringing': async () => {
    const call = await transferring('answers', 'WARM', numberOf('answersLate'));
    await sees(lab, call.phones[1] ?? '', 'INVITE');
    return call;
  },
  'warm transfer, talking': async () => {
    const call = await transferring('answers', 'WARM', numberOf('answers'));
    await eventually(
      () => service.detail(call.call_id),
      ({ transfers }) => transfers[0]?.status === 'connected',
      60_000,
    );
    return call;
  },
  'inbound, ringing': async () => {
    const { number } = await callIn(lab, numbers.ringing, { talkMs: 120_000 });
    return { call_id: await sessionOf(setup, number), phones: [] };
  },
  'inbound, talking': async () => {
    const { number } = await callIn(lab, numbers.talking, { talkMs: 120_000 });
    const call_id = await sessionOf(setup, number);
    await service.reaches(call_id, 'ANSWERED');
    return { call_id, phones: [] };
  },
};

const LASTING = ['talking', 'warm transfer, talking', 'inbound, talking'];

interface Victim {
  kill(): Promise<unknown>;
  restart(): Promise<unknown>;
  /** Phases in which the call has to survive. */
  survives: string[];
}

let [running, worker] = [service, setup.worker];
const restartService = async () => {
  running = await setup.startService();
};
const part = (name: 'redis' | 'server' | 'bridge', survives: string[]): Victim => ({
  kill: lab[name].kill,
  restart: lab[name].start,
  survives,
});
const VICTIMS: Record<string, Victim> = {
  service: {
    kill: () => running.end('SIGKILL'),
    restart: restartService,
    survives: ['ringing', 'talking', 'warm transfer, ringing', 'warm transfer, talking', 'inbound, talking'],
  },
  'media server': part('server', ['talking']),
  bridge: part('bridge', []),
  worker: {
    kill: () => worker.kill(),
    restart: async () => {
      worker = await startLabWorker(lab);
    },
    survives: [],
  },
  Redis: part('redis', ['talking', 'warm transfer, talking', 'inbound, talking']),
};

let dialled = 0;

suite('every process is killed in every phase of a call', () => {
  for (const [name, victim] of Object.entries(VICTIMS)) {
    test(`${name}, killed`, async () => {
      for (let round = 0; round < ROUNDS; round++) await killOnce(name, victim);
    });
  }
  test('no phone was dialled twice', () => recordFigure('kills: calls, each phone dialled once at most', dialled));
});

async function killOnce(name: string, victim: Victim): Promise<void> {
  const started = new Map<string, Started>();
  const begin = (phases: string[]) =>
    Promise.all(
      phases.map(async (phase) => {
        started.set(phase, (await PHASES[phase]?.()) ?? assert.fail());
      }),
    );
  // Calls do not ring for long.
  const [lasting, passing] = [LASTING, Object.keys(PHASES).filter((phase) => !LASTING.includes(phase))];
  await begin(lasting);
  await begin(passing);
  // One more call that is being placed at that moment, and the usage of the others: their responses are lost with the
  // service, and requested again.
  const placing = service.call('answersLate');
  const using = Promise.all([...started.values()].map(use));
  await victim.kill();
  await victim.restart();
  await using;
  const { call_id, number } = await placing;
  started.set('placing', { call_id, phones: [number] });
  const before = await Promise.all([...started].map(([phase, call]) => settled(phase, call.call_id)));
  if (name === 'service') await targetTalks(started.get('warm transfer, ringing'));
  for (const { call_id } of started.values()) await service.post(`/api/calls/${call_id}/end`);
  for (const [phase, { call_id, phones }] of started) {
    const call = await eventually(() => service.detail(call_id), isEnded, WITHIN_MS);
    const seen = (await Promise.all(phones.map((phone) => over(phone, name)))).map((one) =>
      one ? requestsOf(one) : [],
    );
    const { call_status, end_reason, sip_status_code } = call;
    if (name === 'bridge') assert.notEqual(end_reason, 'no_answer', `${phase}: nobody let it ring out`);
    dialled++;
    recordScenario({
      group: `killed: ${name}`,
      scenario: phase,
      call_status,
      end_reason,
      sip_status_code,
      phone: seen.map((requests) => requests.join(', ') || 'nothing').join('; '),
    });
  }
  verifyRollups({ DATABASE_URL: setup.databaseUrl });
  const ended = before.filter(({ phase, call }) => victim.survives.includes(phase) && isEnded(call));
  assert.deepEqual(ended, [], `${name} killed: these calls have to go on`);
}

/** Waits until a transfer is connected whose target answered after the process that dialled it had died. */
async function targetTalks(started: Started | undefined): Promise<void> {
  await eventually(
    () => service.detail(started?.call_id ?? assert.fail()),
    ({ transfers }) => transfers[0]?.status === 'connected',
    WITHIN_MS,
  );
}

/** Logs usage of a call, so that the reports could be wrong. */
async function use({ call_id }: Started): Promise<void> {
  const about = { session_id: call_id, user_id: USER, provider: 'openai', event_type: 'llm_tokens' };
  const event = { ...about, quantity: 1250, unit_cost: '0.0000006', total_cost: '0.00075' };
  for (let count = 0; count < USES; count++) {
    const { status, body } = await service.post('/api/usage/events', event);
    assert.equal(status, 201, JSON.stringify(body));
  }
}

/** The call once it is no longer ringing. */
async function settled(phase: string, call_id: string): Promise<{ phase: string; call: Json }> {
  const call = await eventually(
    () => service.detail(call_id),
    ({ call_status }) => call_status !== 'RINGING',
    WITHIN_MS,
  );
  return { phase, call };
}

/** The only dialog of a phone, once it has ended; if the bridge was killed it may never end. */
async function over(number: string, victim: string): Promise<Dialogue | undefined> {
  const find = async () => (await lab.dialogues()).filter((dialogue) => dialogue.number === number);
  const dialogues = await eventually(find, (all) => victim === 'bridge' || all.every(isOver), 40_000);
  assert.ok(dialogues.length <= 1, `${number} was dialled ${dialogues.length} times`);
  return dialogues[0];
}
