import assert from 'node:assert/strict';
import type { Answer } from '@switchboard/testkit/client.ts';
import type { RequestOptions, Service } from '@switchboard/testkit/service.ts';

/** Location and type of each problem of a 422, such as `body.name missing`, sorted. */
export function problemsOf(answer: Answer): string[] {
  assert.equal(answer.status, 422, JSON.stringify(answer.body));
  const detail: { loc: (string | number)[]; msg: string; type: string }[] = answer.body.detail;
  for (const { msg } of detail) assert.ok(msg.length > 0);
  return detail.map(({ loc, type }) => `${loc.join('.')} ${type}`).sort();
}

/** Fails unless the response is this refusal, in the format of all refusals other than 422. */
export function assertRefused(answer: Answer, status: number, code: string): void {
  assert.deepEqual({ status: answer.status, code: answer.body.code }, { status, code }, JSON.stringify(answer.body));
  assert.equal(typeof answer.body.detail, 'string');
}

/** The raw status and text of a response, for responses that must be identical. */
export async function rawAnswer(service: Service, path: string, user?: string, method = 'GET'): Promise<string> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      ...(user !== undefined && { 'x-user-id': user }),
      ...(method === 'PATCH' && { 'content-type': 'application/json' }),
    },
    ...(method === 'PATCH' && { body: '{}' }),
  });
  return `${response.status} ${await response.text()}`;
}

/** The items of all pages, one request per page; fails if a page exceeds `limit` or the pages never end. */
export async function allPages(service: Service, path: string, limit: number, options: RequestOptions = {}) {
  const items: { id: string }[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < 100; page++) {
    const query: string = `limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
    const { status, body } = await service.request('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`, options);
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(body.items.length <= limit);
    items.push(...body.items);
    cursor = body.next_cursor;
    if (cursor === null) return items;
  }
  throw new Error('the pages never end');
}
