import type { AgentConfig, AgentDraft, AgentDraftPut, AgentType } from '@switchboard/client';
import { changesBetween } from './differences.ts';

/** Lets a changed configuration determine the agent's type. */
export const BY_CONFIG = '';

/** The fields of an agent's draft, as typed. */
export interface DraftFields {
  name: string;
  description: string;
  type: AgentType | typeof BY_CONFIG;
  /** The configuration as JSON. */
  configText: string;
}

export const DRAFT_LABELS: Record<keyof DraftFields, string> = {
  name: 'Name',
  description: 'Description',
  type: 'Type',
  configText: 'Configuration',
};

/** The name of whoever saved a draft, by its `updated_by`. In open mode nobody has a name. */
export const editorOf = (updated_by: string | null) =>
  updated_by === null || updated_by === 'open' ? 'Somebody else' : updated_by;

/** Changes that are not saved in the draft yet, with the saved fields that they were made to, and when. */
export interface Edits {
  draft: DraftFields;
  base: DraftFields;
  at: string;
}

/** The fields of a saved draft. A configuration that is equal to that of `typed` keeps its text. */
export function toFields({ name, description, config }: SavedDraft, typed: string | null = null): DraftFields {
  const isTyped = typed !== null && changesBetween(JSON.parse(typed), config).length === 0;
  return {
    name,
    description: description ?? '',
    type: BY_CONFIG,
    configText: isTyped ? typed : JSON.stringify(config, null, 2),
  };
}

type SavedDraft = Pick<AgentDraft, 'name' | 'description' | 'config'>;

const FIELDS = Object.keys(DRAFT_LABELS) as (keyof DraftFields)[];

/** Fields in which two drafts differ. */
export const differences = (one: DraftFields, other: DraftFields) => FIELDS.filter((name) => one[name] !== other[name]);

/** Edited fields that others have saved since the edits began, and differently. */
export const overtaken = ({ draft, base }: Edits, saved: DraftFields) =>
  differences(saved, base).filter(
    (name) => draft[name] !== base[name] && !isSame(name, saved, base) && !isSame(name, saved, draft),
  );

/** Whether drafts say the same in a field. The text of a configuration may have another order of keys, or spaces. */
function isSame(name: keyof DraftFields, one: DraftFields, other: DraftFields): boolean {
  if (one[name] === other[name]) return true;
  if (name !== 'configText') return false;
  try {
    return changesBetween(JSON.parse(one[name]), JSON.parse(other[name])).length === 0;
  } catch {
    // Text that is being typed need not be JSON.
    return false;
  }
}

/** The edits with one more change; null if nothing differs from the saved fields any more. */
export function editsWith(before: Edits | null, saved: DraftFields, change: Partial<DraftFields>): Edits | null {
  const base = before?.base ?? saved;
  const draft = { ...(before?.draft ?? saved), ...change };
  return differences(draft, base).length > 0 ? { draft, base, at: new Date().toISOString() } : null;
}

/** The same changes to newer saved fields: what was not edited is theirs. */
export function rebase({ draft, base, at }: Edits, theirs: DraftFields): Edits {
  const mine = Object.fromEntries(differences(draft, base).map((name) => [name, draft[name]]));
  return { draft: { ...theirs, ...mine }, base: theirs, at };
}

/** Edits made while `sent` was being saved. A type that was saved is not chosen again. */
export function editsAfter(sent: Edits, now: Edits | null): Edits | null {
  if (!now || now === sent) return null;
  const type = now.draft.type === sent.draft.type ? BY_CONFIG : now.draft.type;
  return { ...now, draft: { ...now.draft, type }, base: { ...sent.draft, type: BY_CONFIG } };
}

/** The draft that the edits make of the saved one. A type chosen before stays until the configuration changes. */
export function toPut(
  { draft, base }: Pick<Edits, 'draft' | 'base'>,
  saved: AgentType,
  config: AgentConfig,
): AgentDraftPut {
  const { name, description, configText } = draft;
  const type = draft.type || (configText === base.configText ? saved : undefined);
  return { name, description: description || null, config, ...(type && { type }) };
}

const keyOf = (agentId: string) => `switchboard.draft.${agentId}`;

/** The edits of an agent that this browser keeps; null without any. */
export function readEdits(storage: Storage, agentId: string): Edits | null {
  try {
    const { draft, base, at } = JSON.parse(storage.getItem(keyOf(agentId)) ?? '{}') as Partial<Edits>;
    const isWhole = (fields?: DraftFields) => fields !== undefined && FIELDS.every((name) => name in fields);
    return draft && base && at && isWhole(draft) && isWhole(base) ? { draft, base, at } : null;
  } catch {
    return null;
  }
}

/** Keeps edits until they are saved or discarded (null). Returns whether the browser has room for them. */
export function keepEdits(storage: Storage, agentId: string, edits: Edits | null): boolean {
  try {
    if (edits) storage.setItem(keyOf(agentId), JSON.stringify(edits));
    else storage.removeItem(keyOf(agentId));
    return true;
  } catch {
    return false;
  }
}

/** The revisions that a tab has saved, the last one of each agent. */
const savedOf = (agentId: string) => `agent-saved/${agentId}`;

/** Remembers in the storage of the tab which revision it has saved. */
export function noteSaved(storage: Storage, agentId: string, revision: string): void {
  try {
    storage.setItem(savedOf(agentId), revision);
  } catch {
    // A tab without storage takes its own draft for somebody else's.
  }
}

/** Whether the tab has saved this revision. */
export function isOwn(storage: Storage, agentId: string, revision: string): boolean {
  try {
    return storage.getItem(savedOf(agentId)) === revision;
  } catch {
    return false;
  }
}
