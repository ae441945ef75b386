import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import packageJson from '../../package.json' with { type: 'json' };
import type { JsonObject } from '../lib/json.ts';
import type { Role } from '../lib/principal.ts';
import type { Audited } from './audit.ts';
import { INTRODUCTION } from './introduction.ts';
import { publish } from './publish.ts';
import { registerReference } from './reference.ts';

/** Parts of the description that are not the routes'. */
export interface ApiParts {
  /** Groups of endpoints, each with a description, in the order of the reference. */
  tags: { name: string; description: string }[];
  /** The requests that the service itself sends. */
  webhooks: JsonObject;
  /** Schemas that no endpoint refers to, by name. */
  schemas: JsonObject;
}

/** Collects the routes registered after it into `GET /openapi.json`, and serves the reference at `/docs`. */
export async function registerOpenApi(app: FastifyInstance, { tags, webhooks, schemas }: ApiParts): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Switchboard',
        version: packageJson.version,
        description: INTRODUCTION,
        contact: { name: 'The maintainers of Switchboard' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'The service that serves this description.' }],
      tags,
      components: {
        schemas: schemas as never,
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
    transform: ({ schema, url, route }) => ({ schema: withRoles(schema, route.config?.rule?.roles), url }),
    transformObject: (document) =>
      publish('openapiObject' in document ? document.openapiObject : document.swaggerObject),
  });
  registerReference(app);
}

/** Appends the roles to the description; an operation without a key has no security. */
function withRoles(whole: FastifySchema | undefined, roles: readonly Role[] | undefined): FastifySchema {
  if (!whole) return {};
  const { audit, ...schema } = whole;
  const names = roles && `Roles: ${roles.map((role) => `\`${role}\``).join(', ')}.`;
  const parts = [schema.description, names, audit && describeAudit(audit)];
  const described = { ...schema, description: parts.filter(Boolean).join('\n\n') };
  return roles ? described : { ...described, security: [] };
}

function describeAudit(audit: Audited): string {
  if ('refused' in audit) return `Audit log: \`${audit.changes.join('` and `')}\`; \`${audit.refused}\` if it fails.`;
  if ('changes' in audit) return `Audit log: \`${audit.changes}\`.`;
  if ('may_change' in audit) return `Audit log: \`${[audit.may_change].flat().join('` or `')}\`, where it is one.`;
  const only = { files: ', for a file', operators: ', for an operator’s key' };
  const some = audit.when ? ', where it shows what was said' : '';
  return `Audit log: \`${audit.access}\`${audit.only ? only[audit.only] : ''}${some}.`;
}
