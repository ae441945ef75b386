import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { createSwitchboard } from '@switchboard/client';
import { type Ask, captureCall, LANGUAGES, type Language, textOf } from '../src/data/api-call.ts';

const run = promisify(execFile);
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (part) => {
    body += part;
  });
  request.on('end', () => {
    seen.push(told(request, body));
    response.setHeader('content-type', 'application/json');
    response.end('{"id":"1"}');
  });
});
const seen: object[] = [];
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function told({ method, url, headers }: IncomingMessage, body: string) {
  const { authorization, 'x-user-id': user, 'if-match': match, 'idempotency-key': key } = headers;
  return { method, url, authorization, user, match, hasKey: key !== undefined, body: body && JSON.parse(body) };
}

const ask = (text: string): [string, Ask][] => [
  ['a body', (api) => api.consents.add({ phone_number: text, purpose: 'marketing' } as never)],
  ['a key of idempotency', (api) => api.calls.start({ agent_id: 'a', phone_number: '+1', variables: { name: text } })],
  [
    'a revision',
    (api) => api.drafts.put('a b/c', { name: text, config: { list: [null, true, {}, []] } }, { ifMatch: '"7"' }),
  ],
  ['no body', (api) => api.numbers.release({ agent_id: text })],
];

async function program(language: Language, text: string): Promise<void> {
  const env = { PATH: process.env.PATH, SWITCHBOARD_KEY: 'sbk_secret' };
  const options = { env, cwd: path.resolve(import.meta.dirname, '..') };
  if (language === 'curl') await run('bash', ['-euc', text], options);
  else if (language === 'Python') await run('python3', ['-c', text], options);
  else await run(process.execPath, ['--input-type=module-typescript', '-e', text], options);
}

for (const language of LANGUAGES)
  test(`a form as ${language} sends the request of the form, whatever was typed`, async () => {
    for (const [what, one] of ask(`it's "a" \\ $HOME \`id\` {{x}} ${'\n'}é`)) {
      const api = (send?: (request: Request) => Promise<Response>) =>
        createSwitchboard({
          baseUrl,
          apiKey: 'sbk_secret',
          userId: "o'neill Zoë",
          maxRetries: 0,
          ...(send && { fetch: send }),
        });
      const call = await captureCall(api, one);
      assert.ok(call);
      assert.deepEqual(seen, []);
      await one(api());
      await program(language, textOf(call, language, true));
      const [form, shown] = seen.splice(0);
      assert.deepEqual(shown, form, what);
    }
  });

test('without a key none is sent, and a form that asks for nothing shows nothing', async () => {
  const api = (send: (request: Request) => Promise<Response>) => createSwitchboard({ baseUrl, fetch: send });
  const call = await captureCall(api, (own) => own.suites.save({ name: 'Smoke', scenarios: ['1'] }));
  assert.ok(call);
  for (const language of LANGUAGES) {
    const text = textOf(call, language, false);
    assert.doesNotMatch(text, /SWITCHBOARD_KEY|x-user-id|userId/);
    await program(language, text);
  }
  assert.equal(seen.splice(0).length, LANGUAGES.length);
  assert.equal(await captureCall(api, () => Promise.reject(new Error('not a date'))), null);
});
