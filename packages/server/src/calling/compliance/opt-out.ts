import { OPT_OUT_MESSAGE } from '@switchboard/client/consent';
import { isObject, type JsonObject } from '../../lib/json.ts';

const SCOPES = ['user', 'agent', 'purpose'] as const;

/** How an agent takes a refusal of further calls. */
export interface OptOut {
  scope: (typeof SCOPES)[number];
  /** With `{{name}}` for variables. */
  confirm: string;
}

/** Reads how a version of an agent takes refusals; null if it does not. Nobody may have checked its configuration. */
export function optOutIn({ compliance }: JsonObject): OptOut | null {
  const section = isObject(compliance) ? compliance.opt_out : undefined;
  if (!isObject(section) || section.enabled !== true) return null;
  const { confirm, scope } = section;
  return {
    scope: SCOPES.find((one) => one === scope) ?? 'user',
    confirm: typeof confirm === 'string' && confirm.trim() ? confirm : OPT_OUT_MESSAGE,
  };
}
