import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import packageJson from '../../package.json' with { type: 'json' };
import type { JsonObject } from '../lib/json.ts';
import { type Access, rolesOf } from './caller.ts';
import { publish } from './publish.ts';
import { registerReference } from './reference.ts';

const DESCRIPTION = `The backend of a voice agent platform: agents, sessions, calls, numbers, usage and costs.

**Authentication.** With \`AUTH_MODE=required\` each request carries \`Authorization: Bearer …\`, an API key or a token of your identity
provider. The header \`x-user-id\` names the user that a \`service\` or \`worker\` key acts for; a user's own key or token needs none. In
open mode (the default on the loopback interface) the header alone says who calls.

**Errors.** 422 lists all problems of a request. Every other refusal has a sentence for people (\`detail\`) and a stable \`code\`. A 429 or
503 says in \`Retry-After\` when to try again.

**Values.** Times are ISO 8601 in UTC. Money and quantities are decimal strings with all their digits. Ids are strings.`;

/** A sentence for each tag, in the order of the reference. */
const TAGS = {
  agents: 'Who talks: a type, a free-form configuration, and the phone number it answers.',
  calls: 'Phone calls: start, follow, transfer and end them.',
  sessions: 'Conversations, one for each call or media room, with their transcripts.',
  media: 'The media provider: tokens for its rooms, and its events.',
  telephony: 'Phone numbers that the carrier account owns: assign them to agents and release them.',
  usage: 'The ledger of what conversations used, written by agent workers.',
  costs: 'What it cost: in total, by agent, over time, by session.',
  callbacks: 'What `callback_url` was told, and the secret that signs it.',
  keys: 'API keys and their roles.',
  audit: 'Who did what.',
  privacy: 'Erasing a user.',
  service: 'Health and metrics of the process.',
};

/** Collects the routes registered after it into `GET /openapi.json`, and serves the reference at `/docs`. */
export async function registerOpenApi(app: FastifyInstance, webhooks: JsonObject): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Switchboard',
        version: packageJson.version,
        description: DESCRIPTION,
        contact: { name: 'The maintainers of Switchboard' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'The service that serves this description.' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key (`sb_…`), or a token of the identity provider.',
          },
        },
      },
      security: [{ bearer: [] }],
      webhooks: webhooks as never,
    },
    hideUntagged: true,
    transform: ({ schema, url, route }) => ({ schema: withAccess(schema, url, route.config?.access), url }),
    transformObject: (document) =>
      publish('openapiObject' in document ? document.openapiObject : document.swaggerObject),
  });
  registerReference(app);
}

/** Says in the description who may use the operation; one that needs no key has no security. */
function withAccess(schema: FastifySchema | undefined, url: string, access: Access | undefined): FastifySchema {
  if (!schema) return {};
  const isPublic = access === 'public' || !(url.startsWith('/api/') || url === '/metrics');
  if (isPublic) return { ...schema, security: [] };
  const roles = rolesOf(access).map((role) => `\`${role}\``);
  return { ...schema, description: [schema.description, `Roles: ${roles.join(', ')}.`].filter(Boolean).join('\n\n') };
}
