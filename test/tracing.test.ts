// A real process that sends its spans to a collector: what one request causes is one trace, the delivery of its
// callback included.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { startProcess } from '../reliability/support/service.ts';
import { type ReceivedSpan, startCollector } from './support/otlp.ts';
import { startReceiver } from './support/receiver.ts';
import { eventually } from './support/service.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const collector = await startCollector();
const receiver = await startReceiver();
const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'switchboard-'));
after(() => rm(DATA_DIR, { recursive: true, force: true }));

const json = { 'content-type': 'application/json', 'x-user-id': 'user-1' };
async function post(url: string, body: object, headers = {}) {
  const answer = await fetch(url, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });
  assert.equal(answer.status, 201);
  return (await answer.json()) as { id: string };
}

test('a call is one trace: request, database, media provider, and the callback that tells of it', async () => {
  const env = { DATA_DIR, CALLBACK_ALLOW_PRIVATE: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const service = await startProcess(env);
  const { id: agent_id } = await post(`${service.url}/api/agents/`, { name: 'Front desk', user_id: 'user-1' });
  const call = { agent_id, phone_number: '+15005550001', callback_url: `${receiver.base}/traced` };
  const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;
  await post(`${service.url}/api/calls/outbound`, call, { traceparent });
  await eventually(
    async () => receiver.at('/traced'),
    (received) => received.length > 0,
  );
  assert.match(receiver.at('/traced')[0]?.headers.traceparent ?? '', new RegExp(`^00-${TRACE}-`));
  // Remaining spans are sent as the process stops.
  await service.end('SIGTERM');

  const spans = collector.spans.filter(({ trace }) => trace === TRACE);
  const named = (name: string) => spans.find((span) => span.name === name);
  assert.equal(named('POST /api/calls/outbound')?.parent, 'b7ad6b7169203331');
  for (const name of ['INSERT', 'sandbox.createRoom', 'sandbox.dial', 'callback call.failed'])
    assert.ok(named(name), `${name} is missing: ${spans.map((span) => span.name).join(', ')}`);
  for (const span of spans) assert.ok(leadsTo(spans, span, 'POST /api/calls/outbound'), span.name);
});

test('without a collector in the configuration nothing is traced, and nothing is sent', async () => {
  const before = collector.spans.length;
  const service = await startProcess({ DATA_DIR });
  await post(`${service.url}/api/agents/`, { name: 'Front desk', user_id: 'user-1' });
  await service.end('SIGTERM');
  assert.equal(collector.spans.length, before);
});

function leadsTo(spans: ReceivedSpan[], span: ReceivedSpan, name: string): boolean {
  if (span.name === name) return true;
  const parent = spans.find(({ id }) => id === span.parent);
  return parent !== undefined && leadsTo(spans, parent, name);
}
