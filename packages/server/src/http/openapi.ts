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
open mode (the default on the loopback interface) the header alone identifies the caller.

**Errors.** 422 lists all problems of a request. Every other error has a readable message (\`detail\`) and a stable \`code\`. 429 and
503 have a \`Retry-After\` header.

**Values.** Times are ISO 8601 in UTC. Money and quantities are decimal strings with all their digits. Ids are strings.`;

/** Parts of the description that are not the routes'. */
export interface ApiParts {
  /** Groups of endpoints, each with a description, in the order of the reference. */
  tags: { name: string; description: string }[];
  /** The requests that the service itself sends. */
  webhooks: JsonObject;
}

/** Collects the routes registered after it into `GET /openapi.json`, and serves the reference at `/docs`. */
export async function registerOpenApi(app: FastifyInstance, { tags, webhooks }: ApiParts): Promise<void> {
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
      tags,
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

/** Appends the roles to the description; an operation without a key has no security. */
function withAccess(schema: FastifySchema | undefined, url: string, access: Access | undefined): FastifySchema {
  if (!schema) return {};
  const isPublic = access === 'public' || !(url.startsWith('/api/') || url === '/metrics');
  if (isPublic) return { ...schema, security: [] };
  const roles = rolesOf(access).map((role) => `\`${role}\``);
  return { ...schema, description: [schema.description, `Roles: ${roles.join(', ')}.`].filter(Boolean).join('\n\n') };
}
