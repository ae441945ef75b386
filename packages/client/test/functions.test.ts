import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  functionPlaceholders,
  functionProblem,
  functionRequest,
  type HttpFunction,
  shownHeaders,
} from '../src/functions.ts';

const config: HttpFunction = { name: 'find', description: 'Finds.', url: 'https://example.com/find' };
const caller = { session_id: 's', agent_id: 'a', user_id: 'u', variables: {} };
const make = (more: Partial<HttpFunction>, args: object = {}, variables: Record<string, unknown> = {}) =>
  functionRequest({ ...config, ...more }, args, { ...caller, variables });

test('without templates the arguments are posted with the ids of the call', () => {
  const { method, url, headers, body } = make({}, { day: 'Monday' }, { secret: 1 });
  assert.deepEqual([method, url, headers], ['POST', config.url, { 'content-type': 'application/json' }]);
  const sent = { name: 'find', arguments: { day: 'Monday' }, session_id: 's', agent_id: 'a', user_id: 'u' };
  assert.equal(body, JSON.stringify(sent));
});

test('templates take arguments and variables, and a model cannot replace a variable', () => {
  const templates = {
    url: 'https://example.com/{{tenant}}/orders/{{id}}?of={{name}}',
    headers: { 'X-Tenant': 'is {{tenant}}', 'x-none': '[{{nothing}}]' },
    body: '{"order": {{id}}, "text": "For \\"{{name}}\\"", "list": {{list}}, "none": {{nothing}}}',
  };
  const args = { id: 7, name: 'A "B" & C', tenant: 'another', list: [1, 'x'] };
  const request = make(templates, args, { tenant: 'acme' });
  assert.equal(request.url, 'https://example.com/acme/orders/7?of=A%20%22B%22%20%26%20C');
  assert.deepEqual([request.headers['x-tenant'], request.headers['x-none']], ['is acme', '[]']);
  const body = { order: 7, text: 'For "A "B" & C"', list: [1, 'x'], none: null };
  assert.deepEqual(JSON.parse(request.body), body);
});

test('GET and DELETE have no body, and the arguments that their URL does not name in the query', () => {
  for (const method of ['GET', 'DELETE'] as const) {
    const request = make(
      { method, url: 'https://example.com/o/{{id}}?a=1' },
      { id: 7, day: 'Mon day', deep: { x: 1 } },
    );
    assert.equal(request.url, 'https://example.com/o/7?a=1&day=Mon+day&deep=%7B%22x%22%3A1%7D');
    assert.deepEqual([request.body, request.headers], ['', {}]);
  }
});

test('no value leads to another path or host', () => {
  for (const id of ['', '..', '.', '../x', 'a/b', '%2e%2e', '?x', '#x', '\\..\\x']) {
    const url = 'https://example.com/o/{{id}}/x';
    let sent: URL | null = null;
    try {
      sent = new URL(make({ url }, { id }).url);
    } catch (error) {
      assert.match(String(error), /leads to another path/);
    }
    if (sent) assert.match(sent.href, /^https:\/\/example\.com\/o\/[^/?#]+\/x$/, id);
  }
  assert.throws(() => make({ url: 'https://{{host}}/x' }, { host: 'evil.example' }), /without variables in its host/);
  assert.throws(() => make({ url: 'https://a.{{host}}:80/x' }), /without variables/);
});

test('what is wrong with templates is said, with its field', () => {
  const of = (more: Partial<HttpFunction>) => functionProblem({ ...config, ...more });
  assert.equal(of({ headers: { 'x-a': '1' }, body: '{"a": {{b}}}' }), null);
  assert.deepEqual(of({ headers: { 'Webhook-Id': '1' } })?.place, ['headers', 'Webhook-Id']);
  assert.deepEqual(of({ headers: { 'a b': '1' } })?.place, ['headers', 'a b']);
  for (const body of ['{"a": {{b}}', 'a={{b}}', '{"a": "{{b}}}']) assert.deepEqual(of({ body })?.place, ['body'], body);
});

test('placeholders are found in each text, and secrets are not shown', () => {
  const found = functionPlaceholders({ url: 'https://x/{{a}}/{{a}}', headers: { h: '{{b}}' }, body: '{{ c }}' });
  assert.deepEqual(found, [
    { place: ['url'], name: 'a' },
    { place: ['headers', 'h'], name: 'b' },
    { place: ['body'], name: 'c' },
  ]);
  const headers = { authorization: 'Bearer x', 'X-Api-Key': 'x', 'set-cookie': ['a=1'], 'content-type': 'text/plain' };
  const dots = '••••';
  const [auth, key, cookie, type] = shownHeaders(headers).map(({ value }) => value);
  assert.deepEqual([auth, key, cookie, type], [dots, dots, dots, 'text/plain']);
});
