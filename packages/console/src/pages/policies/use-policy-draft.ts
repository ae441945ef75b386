import type { DialPolicy, DialRules } from '@switchboard/client';
import { keep, useKept } from '../../data/kept.ts';
import { isSameRules, parseRules, rulesText } from '../../data/rule-shape.ts';
import { useOneUser } from '../../data/session.tsx';

/** A policy that is not saved. */
interface Edit {
  /** The name of a new policy. */
  name: string;
  /** The rules as JSON, also while they are none. */
  text: string;
  /** Undefined while the box was not touched: others may change that without a new version. */
  isDefault: boolean | undefined;
  /** The version that it was made of; 0 for a new policy. */
  version: number;
}

/** The policy that is edited. It is kept in this tab of the browser until it is saved or discarded. */
export function usePolicyDraft(stored: DialPolicy | undefined) {
  const user = useOneUser();
  const placeOf = (name: string) => `policy ${user} of ${name}`;
  const [edit, put] = useKept(stored ? placeOf(stored.name) : `policy ${user} new`, readEdit);
  const saved: Edit = {
    name: stored?.name ?? '',
    text: rulesText(stored?.rules ?? {}),
    isDefault: undefined,
    version: stored?.version ?? 0,
  };
  const shown = edit ?? saved;
  const change = (part: Partial<Edit>) => {
    const next = { ...shown, ...part };
    put(isSame(next, saved) ? null : next);
  };
  return {
    ...shown,
    /** As the box shows it. */
    isChecked: shown.isDefault ?? stored?.is_default ?? false,
    /** Null for a text that is no JSON object. */
    rules: parseRules(shown.text),
    isChanged: edit !== null,
    setName: (name: string) => change({ name }),
    setDefault: (isDefault: boolean) =>
      change({ isDefault: isDefault === (stored?.is_default ?? false) ? undefined : isDefault }),
    setText: (text: string) => change({ text }),
    setRules: (rules: DialRules) => change({ text: rulesText(rules) }),
    discard: () => put(null),
    /** The draft, as it is here, was saved. What was typed meanwhile is an edit of that, also if that is a new one. */
    saved: (policy: DialPolicy) =>
      put((now) => {
        const left = editSince(shown, now ?? saved, policy);
        if (stored) return left;
        keep(placeOf(policy.name), left);
        return null;
      }),
  };
}

export type PolicyDraft = ReturnType<typeof usePolicyDraft>;

function readEdit({ name, text, isDefault, version }: Record<string, unknown>): Edit | null {
  if (typeof name !== 'string' || typeof text !== 'string' || typeof version !== 'number') return null;
  return { name, text, isDefault: typeof isDefault === 'boolean' ? isDefault : undefined, version };
}

/** Returns what is left of an edit once an earlier state of it was saved as a policy; null if nothing is. */
function editSince(sent: Edit, now: Edit, { name, version }: DialPolicy): Edit | null {
  if (isSame({ ...now, name: sent.name }, sent)) return null;
  const isDefault = now.isDefault === sent.isDefault ? undefined : (now.isDefault ?? !sent.isDefault);
  return { ...now, name, version, isDefault };
}

function isSame(one: Edit, other: Edit): boolean {
  if (one.name !== other.name || one.isDefault !== other.isDefault || one.version !== other.version) return false;
  const [a, b] = [parseRules(one.text), parseRules(other.text)];
  return a && b ? isSameRules(a, b) : one.text === other.text;
}
