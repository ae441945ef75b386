import { request } from '@switchboard/testkit/client.ts';
// A real process that sends its spans to a collector: what one request causes is one trace, the delivery of its
// callback included.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { type ServiceProcess, startProcess } from '@switchboard/testkit/service-process.ts';
import { type ReceivedSpan, startCollector } from '../support/otlp.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const collector = await startCollector();
const receiver = await startReceiver();
const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'switchboard-'));
after(() => rm(DATA_DIR, { recursive: true, force: true }));

async function post({ url }: ServiceProcess, path: string, body: object, headers = {}) {
  const answer = await request(url, { method: 'POST', path, user: 'user-1', body, headers });
  assert.equal(answer.status, 201);
  return answer.body;
}

test('a call is one trace: request, database, media provider, and its callback', async () => {
  const env = { DATA_DIR, CALLBACK_ALLOW_PRIVATE: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const service = await startProcess(env);
  const { id: agent_id } = await post(service, '/api/agents/', { name: 'Front desk', user_id: 'user-1' });
  const call = { agent_id, phone_number: '+15005550001', callback_url: `${receiver.url}/traced` };
  const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;
  await post(service, '/api/calls/outbound', call, { traceparent });
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

test('a stream of events is a span, which ends as its client leaves', async () => {
  const service = await startProcess({ DATA_DIR, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const leaving = new AbortController();
  const stream = await fetch(`${service.url}/api/events`, {
    headers: { 'x-user-id': 'user-1' },
    signal: leaving.signal,
  });
  assert.equal(stream.status, 200);
  leaving.abort();
  const sent = async () => collector.spans.filter(({ name }) => name === 'GET /api/events').length;
  await eventually(sent, (count) => count > 0);
  await service.end('SIGTERM');
  assert.equal(await sent(), 1);
});

test('without a configured collector nothing is traced and nothing is sent', async () => {
  const before = collector.spans.length;
  const service = await startProcess({ DATA_DIR });
  await post(service, '/api/agents/', { name: 'Front desk', user_id: 'user-1' });
  await service.end('SIGTERM');
  assert.equal(collector.spans.length, before);
});

function leadsTo(spans: ReceivedSpan[], span: ReceivedSpan, name: string): boolean {
  if (span.name === name) return true;
  const parent = spans.find(({ id }) => id === span.parent);
  return parent !== undefined && leadsTo(spans, parent, name);
}
