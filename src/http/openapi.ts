import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import packageJson from '../../package.json' with { type: 'json' };
import { NUMERIC_STRING_PATTERN } from '../lib/decimal.ts';
import { isObject, type JsonObject } from '../lib/json.ts';

// What a client is told of the formats that only our validator knows.
const PUBLISHED: Record<string, JsonObject> = {
  phone_number: { type: 'string', pattern: '^\\+[1-9]\\d{1,14}$', examples: ['+15005550100'] },
  called_number: { type: 'string', pattern: '^[+ ]?[1-9]\\d{1,14}$', examples: ['+15005550100', '15005550100'] },
  callback_url: { type: 'string', format: 'uri', maxLength: 2048, examples: ['https://example.com/calls'] },
  decimal: {
    anyOf: [{ type: 'number' }, { type: 'string', maxLength: 64, pattern: NUMERIC_STRING_PATTERN }],
    examples: ['0.000015'],
  },
};

/** Collects the routes registered after it into `GET /openapi.json`, and serves the reference at `/docs`. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Switchboard',
        version: packageJson.version,
        description: 'The backend of a voice agent platform: agents, sessions, calls, numbers, usage and costs.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      tags: [
        'keys',
        'agents',
        'sessions',
        'calls',
        'telephony',
        'usage',
        'costs',
        'media',
        'callbacks',
        'privacy',
        'audit',
        'service',
      ].map((name) => ({ name })),
    },
    hideUntagged: true,
    transformObject: (document) =>
      publish('openapiObject' in document ? document.openapiObject : document.swaggerObject),
  });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
  await app.register(swaggerUi, { routePrefix: '/docs', uiConfig: { docExpansion: 'list', tryItOutEnabled: true } });
}

/** Gives every schema that has a title a name of its own, and replaces our formats by what clients understand. */
function publish<T extends object>(document: T): T {
  const schemas: JsonObject = {};
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isObject(value)) return value;
    const { title, description, ...rest } = value;
    const published = PUBLISHED[String(rest.format)];
    if (published)
      return {
        ...published,
        ...(Array.isArray(rest.type) && { type: rest.type }),
        ...(description ? { description } : {}),
      };
    const copy = Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, visit(inner)]));
    if (description === 'Default Response') return { ...copy, description: 'The request succeeded.' };
    if (typeof title !== 'string' || !('type' in value)) return { ...value, ...copy };
    schemas[title] = { ...copy, ...(description ? { description } : {}) };
    return { $ref: `#/components/schemas/${title}` };
  };
  const visited = visit(document) as T;
  return { ...visited, components: { schemas } };
}
