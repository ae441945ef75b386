import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import type { Answer } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingParts, startLab } from '@switchboard/testkit/lab.ts';
import { writeSection } from '@switchboard/testkit/section.ts';
import { countWaiting } from '@switchboard/testkit/waiting.ts';
import { type BehindProxy, startBehindProxy } from './support/media-proxies.ts';
import type { Fault } from './support/tcp-proxy.ts';

/** Timeout of one request to the media server (`requestTimeoutS` of the adapter), plus the rest of an API request. */
const TIMEOUT_S = 5;
const LITTLE_S = 2.5;
/** Dialing is one request that may take the ring time, 3 s here, plus ten seconds: as long as this many others. */
const DIALLING = 13 / TIMEOUT_S;

const FAULTS: Record<string, Fault> = {
  'black hole': { kind: 'hole' },
  '200 ms more each way': { kind: 'latency', ms: 200 },
  'connections reset': { kind: 'reset' },
  'port closed': { kind: 'refuse' },
  'answers cut': { kind: 'cut', bytes: 60 },
};

type Timed = (asked: string, requests: number, request: Promise<Answer>) => Promise<Answer>;

const missing = missingParts();
if (missing) {
  test('faults on the media server connection', { skip: missing }, () => {});
} else {
  const lab = await startLab();
  after(() => lab.stop());
  const sides = new Map<string, BehindProxy>();
  for (const name of Object.keys(FAULTS)) sides.set(name, await startBehindProxy(lab));
  const rows: string[] = [];
  after(() => report(rows));

  test('with any fault on the media server connection, requests end in time, and every call and room ends', {
    concurrency: true,
  }, async (t) => {
    const tests = Object.entries(FAULTS).map(([name, fault]) =>
      t.test(name, async () => {
        rows.push(...(await meet(name, fault, sides.get(name) ?? assert.fail())));
      }),
    );
    await Promise.all(tests);
  });
}

/** Runs one service with one fault; returns the rows of the report. */
async function meet(name: string, fault: Fault, side: BehindProxy): Promise<string[]> {
  const rows: string[] = [];
  const timed: Timed = async (asked, requests, request) => {
    const waited = countWaiting();
    const answer = await request;
    const { status, body } = answer;
    const seconds = waited() / 1000;
    const state = body.providers
      ? `media ${body.providers.media.status}`
      : (body.code ?? body.call_status ?? body.status);
    const said = `${status} ${state ?? ''}`.trim();
    rows.push(`| ${name} | ${asked} | ${said} | ${seconds.toFixed(1)} s |`);
    assert.ok(seconds < requests * TIMEOUT_S + LITTLE_S, `${asked}: ${said} after ${seconds.toFixed(1)} s`);
    return answer;
  };
  const calls: [string, string, string, string] = ['', '', '', ''];
  for (const index of calls.keys()) calls[index] = (await side.answeredCall()).call_id;
  const [ended, cold, warm, referred] = calls;
  await side.connectTarget(warm);
  const agent_id = await createAgent(side.service);

  await side.proxy.set(fault);
  await whileItLasts(side, fault, timed, { ended, cold, warm, agent_id });
  await side.proxy.set({ kind: 'pass' });
  await inTheMiddle(side, fault, timed, { referred, agent_id });
  await side.proxy.set({ kind: 'pass' });

  await reconcileLater(side);
  await reconcileLater(side);
  const isSlow = fault.kind === 'latency';
  await reaches(side.service, cold, isSlow ? 'COMPLETED' : 'ANSWERED');
  const again = await side.service.request('POST', `/api/sessions/${warm}/transfer/complete`);
  assert.equal(again.status, isSlow ? 409 : 200);
  await side.assertSettled();
  const { call_id } = await placeCall(side.service, side.newPhone(), { agent_id });
  await reaches(side.service, call_id, 'ANSWERED');
  side.hangUp();
  return rows;
}

/** All requests that use the media server, and the reconciler, concurrently. */
async function whileItLasts(
  side: BehindProxy,
  fault: Fault,
  timed: Timed,
  { ended, cold, warm, agent_id }: { ended: string; cold: string; warm: string; agent_id: string },
): Promise<void> {
  const { service } = side;
  const isSlow = fault.kind === 'latency';
  const [call, end, transfer, complete, token, ready, read] = await Promise.all([
    timed('outbound call', 1, place(side, agent_id)),
    timed('end of a call', 1, service.request('POST', `/api/calls/${ended}/end`)),
    timed('cold transfer', 2, side.transfer(cold, 'COLD')),
    timed('completion of a warm transfer', 1, service.request('POST', `/api/sessions/${warm}/transfer/complete`)),
    timed('token', 0, service.request('POST', '/api/media/token', { user: USER, body: { session_id: warm } })),
    timed('`/readyz`', 1, service.request('GET', '/readyz')),
    timed('call read', 0, service.request('GET', `/api/calls/${warm}`)),
    reconcileLater(side),
  ]);
  assert.deepEqual([call.status, call.body.status], [201, isSlow ? 'RINGING' : 'FAILED']);
  assert.deepEqual([end.status, end.body.call_status], [200, 'COMPLETED']);
  assertAnswered(transfer, isSlow);
  assertAnswered(complete, isSlow);
  assert.deepEqual([token.status, ready.status, read.body.call_status], [201, 200, 'ANSWERED']);
  assert.equal(ready.body.providers.media.status === 'ok', isSlow);
}

/** The fault occurs between room and dialing of a call, and between a transfer and its answer. */
async function inTheMiddle(
  { service, proxy, hooks, ...side }: BehindProxy,
  fault: Fault,
  timed: Timed,
  { referred, agent_id }: { referred: string; agent_id: string },
): Promise<void> {
  hooks.afterRoom = () => proxy.set(fault);
  // While the server is unreachable, it is unknown whether the phone rings, and the call goes on.
  hooks.afterDial = () => proxy.set({ kind: 'pass' });
  const { status, body } = await timed('outbound call, whose room is made', 1, place({ service, ...side }, agent_id));
  assert.deepEqual([status, body.status], [201, 'RINGING']);
  const ended = eventually(
    () => service.request('GET', `/api/calls/${body.call_id}/status`),
    (answer) => answer.body.call_status !== 'RINGING',
  );
  await timed('… and its dialling, after which the fault is over', DIALLING, ended);
  hooks.beforeRefer = () => proxy.set(fault);
  assertAnswered(
    await timed('cold transfer, from its REFER on', 2, side.transfer(referred, 'COLD')),
    fault.kind === 'latency',
  );
}

function assertAnswered({ status, body }: Answer, isSlow: boolean): void {
  const isClear = [502, 503, 504].includes(status) && /^(provider_|transfer_failed)/.test(body.code);
  assert.ok(isSlow ? status === 200 : isClear, JSON.stringify(body));
}

async function reconcileLater({ clock, service }: BehindProxy): Promise<void> {
  clock.advance(6_000);
  await service.app.reconcile();
}

async function place(
  { service, newPhone }: Pick<BehindProxy, 'service' | 'newPhone'>,
  agent_id: string,
): Promise<Answer> {
  const body = { agent_id, phone_number: newPhone(), callback_url: 'http://127.0.0.1:9/' };
  return service.request('POST', '/api/calls/outbound', { user: USER, body });
}

function report(rows: string[]): void {
  const text = `## Faults on the connection to the media server

A proxy between the service and a real media server, all of whose webhooks are lost. A request to it takes up to 5 s; a cold transfer
makes two that may get no response; a phone rang for up to 3 s. A call whose room cannot be created is a 201 with \`FAILED\`. No answered
call was ended by a fault. After two rounds of the reconciler, 6 s apart, every call was answered or had ended, its timeline
and its callbacks agreed, and no room of an ended call was left, not even one whose creation had gone unacknowledged.

| Fault | Request | Response | After |
| --- | --- | --- | --- |
${rows.join('\n')}`;
  writeSection(4, 'wire-providers-media', text);
}
