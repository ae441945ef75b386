import { SwitchboardError } from './errors.ts';
import type { Methods } from './generated/operations.ts';
import type { AgentDraft, AgentDraftPut } from './generated/schema.ts';
import type { RequestOptions } from './options.ts';

/** Each but the first one follows a change that somebody else has saved in between. */
const MAX_ATTEMPTS = 5;

/** The fields of a draft that change; the others stay. */
export type DraftChange = (draft: AgentDraft) => Partial<AgentDraftPut> | Promise<Partial<AgentDraftPut>>;

/** Reads a draft, and saves it changed, unless somebody else has saved meanwhile: then it begins anew. */
export async function changeDraft(
  { get, put }: Methods['drafts'],
  agent_id: string,
  change: DraftChange,
  options: Omit<RequestOptions, 'ifMatch' | 'idempotencyKey'> = {},
): Promise<AgentDraft> {
  for (let attempt = 1; ; attempt++) {
    const draft = await get(agent_id, options);
    const { name, description, type, config, revision } = draft;
    const changed = { name, description, type, config, ...(await change(draft)) };
    try {
      return await put(agent_id, changed, { ...options, ifMatch: revision });
    } catch (error) {
      const isOvertaken = error instanceof SwitchboardError && error.code === 'changed_meanwhile';
      if (!isOvertaken || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
