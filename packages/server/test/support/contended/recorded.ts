// Records which of the operations that write were carried out while others wrote.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Service } from '@switchboard/testkit/service.ts';

const { paths } = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../../openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string }>>;
};
const WRITING = Object.entries(paths).flatMap(([template, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId }]) => {
    const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    return method === 'get' ? [] : [{ method: method.toUpperCase(), pattern, operationId }];
  }),
);
const done = new Set<string>();

/** The operations that write, and were carried out by no service that is recorded. */
export const neverDone = () => WRITING.map(({ operationId }) => operationId).filter((id) => !done.has(id));

/** Nobody has answered a message, because its chat ended, or its worker gave up: no failure of the service's own. */
const NOBODY = 'turn_unanswered';

/**
 * The same service. What it does is recorded, and it throws where the service itself has failed: a request that meets
 * another one may be refused, nothing else.
 */
export const recorded = (service: Service): Service => ({
  ...service,
  request: async (method, target, options) => {
    const answer = await service.request(method, target, options);
    const { pathname } = new URL(target, service.url);
    const { status, body } = answer;
    if (status >= 500 && body.code !== NOBODY)
      throw new Error(`${method} ${target}: ${status} ${JSON.stringify(body)}`);
    const known = WRITING.find((one) => one.method === method && one.pattern.test(pathname));
    if (known && status < 300) done.add(known.operationId);
    return answer;
  },
});
