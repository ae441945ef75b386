import assert from 'node:assert/strict';
import http from 'node:http';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startService } from '@switchboard/testkit/service.ts';
import fc from 'fast-check';
import type { FastifyRequest } from 'fastify';
import { createBodyReader } from '../../src/http/body-reader.ts';
import { createLoopTurns } from '../../src/lib/turns.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';

const service = await startService();
const VALID =
  '{"session_id":"s","user_id":"user-1","provider":"p","event_type":"llm_tokens","quantity":1,"unit_cost":"0.5","total_cost":1e-7}';

function post(body: string, headers: Record<string, string> = {}) {
  return service.request('POST', '/api/usage/events', { body, headers });
}

/** Sends bytes as they are, in two pieces without a length when `chunked`. */
function postBytes(bytes: Uint8Array, { chunked = false, type = 'application/json' } = {}): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': type, ...(!chunked && { 'content-length': bytes.length }) };
    const request = http.request(`${service.url}/api/usage/events`, { method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve([response.statusCode ?? 0, text]));
    });
    request.on('error', reject);
    request.write(bytes.subarray(0, bytes.length / 2));
    request.end(bytes.subarray(bytes.length / 2));
  });
}

const MALFORMED: [text: string, offset: number][] = [
  ['{', 1],
  ['{"a":1,}', 7],
  ['{"a" 1}', 5],
  ['{"a":1} x', 8],
  ['{"a":1}{"b":2}', 7],
  ["{'a':1}", 1],
  ['{"a":NaN}', 5],
  ['{"a":01}', 6],
  ['// comment\n{}', 0],
  ['{"a":1 /* comment */}', 7],
  ['not json', 0],
  ['{"a":"\t"}', 5],
  ['[1,2', 4],
];
for (const [text, offset] of MALFORMED) {
  test(`${JSON.stringify(text)} is not JSON, and the error is at ${offset}`, async () => {
    assert.deepEqual(problemsOf(await post(text)), [`body.${offset} json_invalid`]);
  });
}

test('a body truncated anywhere is a 422 that says so', async () => {
  for (let length = 1; length < VALID.length; length++) {
    const answer = await post(VALID.slice(0, length));
    const [problem] = problemsOf(answer);
    assert.match(problem ?? '', /^body\.\d+ json_invalid$/, VALID.slice(0, length));
    assert.equal(answer.body.detail[0].msg, 'Input should be valid JSON', VALID.slice(0, length));
  }
});

test('any text is a 422, never a 5xx', async () => {
  const noise = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.json({ maxDepth: 3 }),
    fc.string({ unit: fc.constantFrom(...'{}[]",:0123456789.eE+-truefalsn \\u\n'), maxLength: 20 }),
  );
  await fc.assert(
    fc.asyncProperty(noise, async (text) => {
      assert.equal((await post(text)).status, 422);
    }),
    { numRuns: 300 },
  );
});

test('an empty body is reported as missing', async () => {
  assert.deepEqual(problemsOf(await post('')), ['body missing']);
  assert.deepEqual(problemsOf(await post(' \n\t ')), ['body missing']);
  assert.deepEqual(problemsOf(await service.request('POST', '/api/usage/events')), ['body missing']);
});

test('a body that is not an object is a 422', async () => {
  for (const text of ['[]', '[{}]', '"text"', '5', '1e999', 'true', 'null']) {
    assert.deepEqual(problemsOf(await post(text)), ['body dict_type'], text);
  }
});

test('any content type other than JSON is a 415', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
  ]) {
    assertRefused(await post(VALID, { 'content-type': type }), 415, 'unsupported_media_type');
  }
});

test('application/json with a charset is accepted', async () => {
  assert.equal((await post(VALID, { 'content-type': 'application/json; charset=utf-8' })).status, 201);
  assert.equal((await post(VALID, { 'content-type': 'Application/JSON' })).status, 201);
});

test('invalid UTF-8 is a 422', async () => {
  const [head, tail] = VALID.split('"s"') as [string, string];
  const bytes = Buffer.concat([Buffer.from(`${head}"`), Buffer.from([0xff, 0xfe]), Buffer.from(`"${tail}`)]);
  const [status, text] = await postBytes(bytes);
  assert.equal(status, 422);
  assert.equal(JSON.parse(text).detail[0].type, 'json_invalid');
});

test('a body of 1 MiB is accepted, one byte more is a 413, with or without Content-Length', async () => {
  const filler = (bytes: number) => Buffer.from(VALID.replace('}', `,"x":"${'x'.repeat(bytes - VALID.length - 7)}"}`));
  for (const chunked of [false, true]) {
    assert.equal((await postBytes(filler(1024 * 1024), { chunked }))[0], 201);
    const [status, text] = await postBytes(filler(1024 * 1024 + 1), { chunked });
    assert.equal(status, 413);
    assert.equal(JSON.parse(text).code, 'body_too_large');
  }
});

test('keys that would reach a prototype are refused, however they are written', async () => {
  const keys = ['"__proto__":{}', '"__proto__":null', '"\\u005f_proto__":{}', '"a":[{"__proto__":1}]'];
  for (const key of [...keys, '"constructor":{"prototype":{}}']) {
    assert.deepEqual(problemsOf(await post(VALID.replace('}', `,${key}}`))), ['body.0 json_invalid'], key);
  }
});

test('the last value of a duplicate key counts', async () => {
  const answer = await post(VALID.replace('"quantity":1', '"quantity":2,"quantity":"3"'));
  assert.deepEqual([answer.status, answer.body.quantity], [201, '3']);
});

test('an amount keeps its digits however its key is escaped, and the last duplicate counts', async () => {
  const digits = '0.123456789012345678';
  for (const [sent, got] of [
    [`"\\u0071uantity":${digits}`, digits],
    [`"quantity":5,"x":{"quantity":7},"quantity":${digits}`, digits],
    [`"quantity":${digits},"quantity":"3"`, '3'],
  ]) {
    const answer = await post(VALID.replace('"quantity":1', sent ?? ''));
    assert.deepEqual([answer.status, answer.body.quantity], [201, got], sent);
  }
});

test('an unknown field is named where unknown fields are refused; of very many, only a few', async () => {
  const fields = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, 1]));
  const answer = await service.request('POST', '/api/keys', { body: { ...fields, role: 'worker' } });
  const problems = problemsOf(answer);
  assert.ok(problems.includes('body.k0 extra_forbidden') && problems.includes('body.name missing'));
  assert.ok(problems.length < 100);
});

test('a body with more than 50,000 fields is a 422', async () => {
  const fields = (length: number) => Array.from({ length }, (_, index) => `,"k${index}":1`).join('');
  assert.equal((await post(VALID.replace('}', `${fields(49_000)}}`))).status, 201);
  assert.deepEqual(problemsOf(await post(VALID.replace('}', `${fields(50_000)}}`))), ['body.0 json_invalid']);
});

test('a body’s memory is released once it is used or refused, without waiting for the garbage collector', async () => {
  const read = createBodyReader(createLoopTurns());
  for (const bodyLimit of [200_000, 150_000]) {
    const chunks = [Buffer.from(new ArrayBuffer(100_000)), Buffer.from(new ArrayBuffer(100_000))];
    const request = {
      ip: 'one',
      headers: {},
      routeOptions: { bodyLimit },
      raw: { socket: {} },
    } as unknown as FastifyRequest;
    const payload = Readable.from(chunks) as unknown as http.IncomingMessage;
    let used: Buffer | undefined;
    const reading = promisify(read<number>)(request, payload, (body) => {
      used = body;
      return body.length;
    });
    if (bodyLimit === 200_000) assert.equal(await reading, 200_000);
    else await assert.rejects(reading, { code: 'body_too_large' });
    assert.equal(used?.length ?? 0, 0);
    assert.equal(chunks[0]?.length, 0);
  }
});
