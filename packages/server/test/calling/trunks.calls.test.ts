import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { answeredCall, placeCall, reaches } from '@switchboard/testkit/calls.ts';
import { createTestClock, type TestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { DialOutcome, DialRequest } from '../../src/providers/phones.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

const ANSWERS = '+15005550100';
const ALL_REFUSE = '+15005550004';
const FIRST_REFUSES = '+15005550006';
const RINGS_AND_IS_REFUSED = '+15005550007';

const attempt = (trunk: string, end_reason: string | null, sip_status_code: number | null) => ({
  trunk,
  end_reason,
  sip_status_code,
});
const REFUSED = attempt('sandbox-1', 'trunk_failure', 503);

/** A sandbox that notes what is dialled, and over which trunk. `dial` may do so in its place. */
function watchedSandbox(
  dial: (call: DialRequest, own: () => Promise<DialOutcome>) => Promise<DialOutcome> = (_call, own) => own(),
) {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const dialled: DialRequest[] = [];
  const media: typeof sandbox = {
    ...sandbox,
    dial: (call, canceled) => {
      dialled.push(call);
      return dial(call, () => sandbox.dial(call, canceled));
    },
  };
  return { media, dialled, trunks: () => dialled.map(({ trunk }) => trunk) };
}

test('the second trunk takes what the first one refuses; the call, its report and the metrics say so', async () => {
  const { media, dialled } = watchedSandbox();
  const service = await startService({ media });
  const { call_id } = await placeCall(service, FIRST_REFUSES);
  const call = await reaches(service, call_id, 'ANSWERED');
  assert.deepEqual(call.trunks, [REFUSED, attempt('sandbox-2', null, null)]);
  assert.deepEqual([call.end_reason, call.sip_status_code], [null, null]);
  assert.deepEqual(
    dialled.map(({ trunk, identity, phone_number }) => [trunk, identity, phone_number]),
    [
      ['sandbox-1', 'phone', FIRST_REFUSES],
      ['sandbox-2', 'phone', FIRST_REFUSES],
    ],
  );
  const { body } = await service.request('GET', '/metrics');
  assert.match(body, /^trunk_attempts_total\{trunk="sandbox-1",outcome="trunk_failure"\} 1$/m);
  assert.match(body, /^trunk_attempts_total\{trunk="sandbox-2",outcome="answered"\} 1$/m);
  assert.match(service.logged().join('\n'), /sandbox-1.*a trunk has failed/);
  await service.close();
});

test('a call that no trunk takes fails like before, with all of them, and slows campaigns down', async () => {
  const { media, trunks } = watchedSandbox();
  const service = await startService({ media });
  const { call_id } = await placeCall(service, ALL_REFUSE);
  const call = await reaches(service, call_id, 'FAILED');
  assert.deepEqual([call.end_reason, call.sip_status_code], ['trunk_failure', 503]);
  assert.deepEqual(call.trunks, [REFUSED, attempt('sandbox-2', 'trunk_failure', 503)]);
  assert.deepEqual(trunks(), ['sandbox-1', 'sandbox-2']);
  await service.close();
});

test('a phone that has rung before its trunk refused is not dialled over another one', async () => {
  const { media, trunks } = watchedSandbox();
  const service = await startService({ media });
  const { call_id } = await placeCall(service, RINGS_AND_IS_REFUSED);
  assert.deepEqual((await reaches(service, call_id, 'FAILED')).trunks, [REFUSED]);
  assert.deepEqual(trunks(), ['sandbox-1']);
  await service.close();
});

const failed = (end_reason: string, sip_status_code: number | null): Extract<DialOutcome, { answered: false }> => ({
  answered: false,
  no_answer: end_reason === 'no_answer',
  end_reason,
  sip_status_code,
});
const lost = (code: 'provider_timeout' | 'provider_unavailable') =>
  new ProviderError(code, { provider: 'sandbox', operation: 'dial', retryable: true });

for (const [what, outcome] of [
  ['is busy', failed('busy', 486)],
  ['is declined', failed('declined', 603)],
  ['rings out', failed('no_answer', null)],
  ['has no number', failed('invalid_number', 404)],
  ['is switched off', failed('unavailable', 480)],
  ['is given up by the far end', failed('canceled', 487)],
  ['has another audio format', failed('media_failure', 488)],
  ['gets no final response', failed('trunk_failure', null)],
  ['may be ringing behind a gateway', failed('trunk_failure', 504)],
  ['is lost with the response', lost('provider_timeout')],
  ['is lost with the media server', lost('provider_unavailable')],
  // The sandbox sends no event of it: nothing says that it has not rung.
  ['is refused without a sign that it has not rung', { ...failed('trunk_failure', 503), by_trunk: 'refused' }],
] as [string, DialOutcome | ProviderError][]) {
  test(`a call whose phone ${what} is not dialled over another trunk`, async () => {
    const { media, trunks } = watchedSandbox(async () => {
      if (outcome instanceof Error) throw outcome;
      return outcome;
    });
    const service = await startService({ media });
    const { call_id } = await placeCall(service, ANSWERS);
    const call = await eventually(
      async () => (await service.request('GET', `/api/calls/${call_id}`)).body,
      ({ ended_at }) => ended_at !== null,
    );
    assert.deepEqual(trunks(), ['sandbox-1']);
    assert.deepEqual(call.trunks, [attempt('sandbox-1', call.end_reason, call.sip_status_code)]);
    await service.close();
  });
}

test('a phone whose bridge has reconnected meanwhile may have rung, whatever it shows', async () => {
  const { media, trunks } = watchedSandbox(async ({ room_name, identity }, own) => {
    const dialling = own();
    media.reconnect(room_name, identity);
    await dialling;
    await media.removeParticipant(room_name, identity);
    return { ...failed('trunk_failure', 503), by_trunk: 'refused' };
  });
  const service = await startService({ media });
  const { call_id } = await placeCall(service, FIRST_REFUSES);
  await reaches(service, call_id, 'FAILED');
  assert.deepEqual(trunks(), ['sandbox-1']);
  await service.close();
});

test('nothing has to be waited for if nothing was sent', async () => {
  const unknown = { ...failed('trunk_not_found', null), by_trunk: 'unsent' as const };
  const { media, trunks } = watchedSandbox(async ({ trunk }, own) => (trunk === 'sandbox-1' ? unknown : own()));
  const service = await startService({ media });
  const { call_id } = await placeCall(service, ANSWERS);
  const call = await reaches(service, call_id, 'ANSWERED');
  assert.deepEqual(call.trunks, [attempt('sandbox-1', 'trunk_not_found', null), attempt('sandbox-2', null, null)]);
  assert.deepEqual(trunks(), ['sandbox-1', 'sandbox-2']);
  await service.close();
});

test('the ringing time spans all trunks, and none is tried in its last seconds', async () => {
  for (const [ringing_timeout_s, expected] of [
    [30, [30, 28]],
    [5, [5, 3]],
    [4, [4]],
  ] as const) {
    const { media, dialled } = watchedSandbox(async ({ trunk }, own) => {
      if (trunk === 'sandbox-2') return own();
      await sleep(1_010);
      return { ...failed('trunk_failure', null), by_trunk: 'unsent' };
    });
    const service = await startService({ media, env: { RINGING_TIMEOUT_S: String(ringing_timeout_s) } });
    const { call_id } = await placeCall(service, ANSWERS);
    await reaches(service, call_id, expected.length === 2 ? 'ANSWERED' : 'FAILED');
    assert.deepEqual(
      dialled.map((call) => call.ringing_timeout_s),
      expected,
    );
    await service.close();
  }
});

test('a call that is canceled between two trunks rings nowhere', async () => {
  const between = Promise.withResolvers<void>();
  const refused = Promise.withResolvers<DialOutcome>();
  const { media, trunks } = watchedSandbox(() => {
    between.resolve();
    return refused.promise;
  });
  const service = await startService({ media });
  const { call_id } = await placeCall(service, ANSWERS);
  await between.promise;
  await service.request('POST', `/api/calls/${call_id}/end`);
  refused.resolve({ ...failed('trunk_failure', null), by_trunk: 'unsent' });
  const noted = await eventually(
    async () => (await service.request('GET', `/api/calls/${call_id}`)).body,
    ({ trunks }) => trunks !== null,
  );
  assert.deepEqual([noted.call_status, noted.end_reason], ['COMPLETED', 'canceled']);
  assert.deepEqual(noted.trunks, [attempt('sandbox-1', 'trunk_failure', null)]);
  assert.deepEqual(trunks(), ['sandbox-1']);
  await service.close();
});

/** A process that does not dial a call misses its phone for longer than one may take to join. */
async function missItsPhone({ app }: Pick<Service, 'app'>, clock: TestClock): Promise<void> {
  await app.reconcile();
  clock.advance(6_000);
  await app.reconcile();
}

for (const [what, end] of [
  ['is ended by another process', 'end'],
  ['is given up by another process, which takes the one that dials it for dead,', 'reconcile'],
] as const) {
  test(`a call that ${what} between two trunks rings nowhere`, async () => {
    const database = await openTestDatabase();
    const between = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<DialOutcome>();
    const { media, trunks } = watchedSandbox(() => {
      between.resolve();
      return refused.promise;
    });
    const dialling = await startService({ media, database });
    const clock = createTestClock();
    const other = await startService({ media, database, clock });
    const { call_id } = await placeCall(dialling, ANSWERS);
    await between.promise;
    if (end === 'end') await other.request('POST', `/api/calls/${call_id}/end`);
    else await missItsPhone(other, clock);
    const status = end === 'end' ? 'COMPLETED' : 'FAILED';
    const given_up = await eventually(
      async () => (await other.request('GET', `/api/calls/${call_id}`)).body,
      ({ call_status }) => call_status === status,
    );
    assert.equal(given_up.end_reason, end === 'end' ? 'canceled' : 'interrupted');
    refused.resolve({ ...failed('trunk_failure', null), by_trunk: 'unsent' });
    await eventually(
      async () => (await other.request('GET', `/api/calls/${call_id}`)).body,
      ({ trunks }) => trunks !== null,
    );
    assert.deepEqual(trunks(), ['sandbox-1']);
    await other.close();
    await dialling.close();
    await database.close();
  });
}

test('a process that dies between two trunks leaves a call that nobody dials again', async () => {
  const database = await openTestDatabase();
  const between = Promise.withResolvers<void>();
  const dead = watchedSandbox(() => {
    between.resolve();
    // It never learns of the refusal.
    return new Promise(() => {});
  });
  const first = await startService({ media: dead.media, database });
  const { call_id } = await placeCall(first, ANSWERS);
  await between.promise;
  const next = watchedSandbox();
  const clock = createTestClock();
  const second = await startService({ media: next.media, database, clock });
  await missItsPhone(second, clock);
  const call = await eventually(
    async () => (await second.request('GET', `/api/calls/${call_id}`)).body,
    ({ call_status }) => call_status === 'FAILED',
  );
  assert.deepEqual([call.end_reason, call.trunks], ['interrupted', null]);
  assert.deepEqual([dead.trunks(), next.trunks()], [['sandbox-1'], []]);
  await second.close();
});

test('the target of a warm transfer is dialled over the second trunk as well', async () => {
  const { media, dialled } = watchedSandbox();
  const service = await startService({ media });
  const { call_id } = await answeredCall(service);
  const body = { phone_number: FIRST_REFUSES, type: 'WARM' };
  assert.equal((await service.request('POST', `/api/sessions/${call_id}/transfer`, { body })).status, 200);
  await eventually(
    async () => (await service.request('GET', `/api/calls/${call_id}`)).body.transfers[0],
    ({ status }) => status === 'connected',
  );
  const target = dialled.filter(({ phone_number }) => phone_number === FIRST_REFUSES);
  assert.deepEqual(
    target.map(({ trunk }) => trunk),
    ['sandbox-1', 'sandbox-2'],
  );
  assert.equal(new Set(target.map(({ identity }) => identity)).size, 1);
  await service.close();
});

test('a trunk that keeps failing is passed over, which the metrics and the log show', async () => {
  const { media, trunks } = watchedSandbox(async ({ trunk }, own) =>
    trunk === 'sandbox-1' ? { ...failed('trunk_failure', null), by_trunk: 'unsent' } : own(),
  );
  const service = await startService({ media });
  for (let call = 0; call < 6; call++) await answeredCall(service);
  assert.deepEqual(trunks().slice(-2), ['sandbox-2', 'sandbox-2']);
  assert.equal(trunks().filter((trunk) => trunk === 'sandbox-1').length, 5);
  assert.match((await service.request('GET', '/metrics')).body, /^trunk_passed_over\{trunk="sandbox-1"\} 1$/m);
  assert.match(service.logged().join('\n'), /a trunk keeps failing/);
  await service.close();
});
