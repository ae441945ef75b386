import { isPrivateHost } from '@switchboard/guard';
import type { FastifyInstance } from 'fastify';
import { type FieldProblem, InvalidFields } from '../lib/invalid.ts';
import { isObject } from '../lib/json.ts';

const LOCAL_NAME = /(^|\.)localhost\.?$/i;

/**
 * Refuses URLs to which nothing would ever be sent: private addresses and `localhost`, unless they are allowed. Other
 * names are only resolved when something is sent. Register it after the validation.
 */
export function registerCallbackUrls(app: FastifyInstance, allowPrivate: boolean): void {
  if (allowPrivate) return;
  app.addHook('onRoute', (route) => {
    const { properties = {} } = (route.schema?.body ?? {}) as { properties?: Record<string, { format?: string }> };
    const fields = Object.keys(properties).filter((name) => properties[name]?.format === 'callback_url');
    if (fields.length === 0) return;
    route.preValidation = [
      ...[route.preValidation ?? []].flat(),
      (request, _reply, done) => {
        const problems = problemsOf(fields, request.body);
        if (problems.length > 0) throw new InvalidFields(...problems);
        done();
      },
    ];
  });
}

function problemsOf(fields: string[], body: unknown): FieldProblem[] {
  if (!isObject(body)) return [];
  return fields
    .filter((name) => isPrivate(body[name]))
    .map((field) => ({
      field,
      msg: 'Input should be a public address: nothing is sent to private ones, unless CALLBACK_ALLOW_PRIVATE is true',
      type: 'url_not_public',
    }));
}

function isPrivate(url: unknown): boolean {
  const host = typeof url === 'string' ? URL.parse(url)?.hostname : undefined;
  return host !== undefined && (LOCAL_NAME.test(host) || isPrivateHost(host));
}
