import type { FastifyInstance, RouteOptions } from 'fastify';
import { AppError } from '../lib/errors.ts';
import { type Principal, ROLES, type Role, type Scope } from '../lib/principal.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `read` by default for GET, `write` for other methods. */
    access?: Access;
    /** Whether agent workers may call the operation too. */
    isForWorkers?: boolean;
    /** Restrictions within the operation, in words for docs/roles.md. */
    restriction?: string;
    /** Set from the above when the route is registered. */
    rule?: Rule;
  }
  interface FastifyInstance {
    /** Every operation that needs a key, in the order of registration. */
    operations: Operation[];
  }
}

/** Roles that may call an operation, by its access. The server enforces this table, and docs/roles.md shows it. */
const ROLES_BY_ACCESS = {
  read: ['viewer', 'supervisor', 'user', 'service', 'admin'],
  /** Data of all users: for no principal that is bound to one. */
  read_all: ['viewer', 'supervisor', 'service', 'admin'],
  supervise: ['supervisor', 'user', 'service', 'admin'],
  write: ['user', 'service', 'admin'],
  operate: ['service', 'admin'],
} satisfies Record<string, Role[]>;

/** `public`: needs no key. */
export type Access = keyof typeof ROLES_BY_ACCESS | 'public';

interface Rule {
  roles: readonly Role[];
  isUnbound: boolean;
  tag: string;
}

/** An operation, with the roles that may call it. */
export interface Operation extends Rule {
  operation_id: string;
  method: string;
  /** As in the API description: `/api/calls/{call_id}`. */
  path: string;
  restriction: string;
}

/** Tag of the operations that are in no scope: every key may read its own sign-in, and end it. */
const UNSCOPED = 'console';

/** Works out the roles of every route that is registered afterwards. */
export function registerAccess(app: FastifyInstance): void {
  app.decorate('operations', []);
  app.addHook('onRoute', (route) => {
    if (isOpen(route.url, route.config?.access)) return;
    const rule = ruleOf(route);
    route.config = { ...route.config, rule };
    const { operationId: operation_id } = (route.schema ?? {}) as { operationId?: string };
    const [method] = [route.method].flat();
    if (operation_id === undefined || method === undefined || method === 'HEAD') return;
    const path = route.url.replace(/:(\w+)/g, '{$1}');
    app.operations.push({ ...rule, operation_id, method, path, restriction: route.config.restriction ?? '' });
  });
}

/** Whether a route needs no key: the API description and the health checks contain no user data. */
export function isOpen(url: string, access: Access | undefined): boolean {
  return access === 'public' || !(url.startsWith('/api/') || url === '/metrics');
}

function ruleOf({ method, config, schema }: RouteOptions): Rule {
  const access = config?.access ?? (['GET', 'HEAD'].includes(String(method)) ? 'read' : 'write');
  const allowed: Role[] = access === 'public' ? [] : ROLES_BY_ACCESS[access];
  const roles = ROLES.filter((role) => allowed.includes(role) || (role === 'worker' && config?.isForWorkers === true));
  const { tags: [tag = ''] = [] } = (schema ?? {}) as { tags?: string[] };
  return { roles, isUnbound: access === 'read_all', tag };
}

/** Whether the principal may call an operation; null stands for a caller in open mode, who may call all. */
export function mayCall(principal: Principal | null, rule: Rule): boolean {
  return principal === null || refusalOf(principal, rule) === null;
}

/** Throws `role_not_allowed` or `scope_not_allowed`. */
export function assertMayCall(principal: Principal, rule: Rule): void {
  const refusal = refusalOf(principal, rule);
  if (refusal) throw refusal;
}

function refusalOf({ role, user_id, scopes }: Principal, { roles, isUnbound, tag }: Rule): AppError | null {
  if (!roles.includes(role) || (isUnbound && user_id !== null))
    return new AppError('role_not_allowed', { detail: needs('This operation', roles, isUnbound) });
  return tag === UNSCOPED ? null : refusalOfScope('This operation', scopes, tag as Scope);
}

/** The 403 of a caller who is limited to other scopes than the one that `subject` needs; null if it may. */
export function refusalOfScope(subject: string, scopes: Principal['scopes'], scope: Scope): AppError | null {
  if (scopes === null || scopes.includes(scope)) return null;
  const detail = `${subject} needs the scope ${scope}; the key is limited to ${listOf(scopes, 'and')}.`;
  return new AppError('scope_not_allowed', { detail });
}

/** The sentence of a 403: `subject` needs one of these roles. */
export function needs(subject: string, roles: readonly Role[], isUnbound = false): string {
  return `${subject} needs the role ${listOf(roles, 'or')}${isUnbound ? ', not bound to a user' : ''}.`;
}

function listOf(words: readonly string[], conjunction: string): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;
}
