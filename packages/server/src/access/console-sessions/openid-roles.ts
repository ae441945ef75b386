import type { JWTPayload } from 'jose';
import { isUserId, type Role } from '../../lib/principal.ts';

/** A role that a group gives, with the user that it is bound to; null for all users, or for `user` its own `sub`. */
interface Grant {
  group: string;
  role: Role;
  user_id: string | null;
}

const GRANT = /^(?<group>.+)=(?<role>viewer|supervisor|user|admin)(?::(?<user_id>.+))?$/;

/**
 * Reads `group=role` and `group=role:user`, and returns a function from the claims of an ID token to a role. The first
 * entry whose group the person is in counts; a person in none is the user of its own `sub`.
 */
export function createRoleOf({ roleClaim, roles }: { roleClaim: string; roles: readonly string[] }) {
  const grants = roles.map(toGrant);
  return (subject: string, claims: JWTPayload): { role: Role; user_id: string | null } => {
    const groups = groupsIn(claims, roleClaim);
    const found = grants.find(({ group }) => groups.includes(group));
    if (!found) return { role: 'user', user_id: subject };
    return { role: found.role, user_id: found.user_id ?? (found.role === 'user' ? subject : null) };
  };
}

function toGrant(entry: string): Grant {
  const { group = '', role, user_id } = GRANT.exec(entry)?.groups ?? {};
  return { group, role: role as Role, user_id: user_id !== undefined && isUserId(user_id) ? user_id : null };
}

/** The claim of exactly this name, which may contain dots, or else the one at this path. */
function groupsIn(claims: JWTPayload, name: string): unknown[] {
  const inside = (from: unknown, key: string) =>
    typeof from === 'object' && from !== null && Object.hasOwn(from, key) ? Reflect.get(from, key) : undefined;
  return [inside(claims, name) ?? name.split('.').reduce<unknown>(inside, claims)].flat();
}
