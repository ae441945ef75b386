import type { Static } from 'typebox';
import { AppError } from '../../lib/errors.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { agentType, type Content, contentOf, isSame } from '../agents/agents.ts';
import { type DraftRow, deleteDraft, findDraft, putDraft } from './draft-store.ts';
import { madeBy } from './history.ts';
import type { DraftPut } from './schema.ts';
import type { FindSettled, Settled } from './settled.ts';
import type { Made } from './store.ts';

interface Deps extends Pick<Platform, 'db' | 'clock' | 'audit'> {
  find: FindSettled;
}

/** Drafts: what an agent may become. No phone call gets one. */
export function createDrafts({ db, clock, audit, find }: Deps) {
  /** The draft; where there is none, what most calls get. Throws `not_found`. */
  async function get(id: string, caller: string | null) {
    const agent = await find.get(id, caller);
    return view(agent, await findDraft(db, agent.id));
  }

  /**
   * Replaces the draft. One that says what most calls get is none, and is removed. Throws `changed_meanwhile` unless
   * the draft's revision is one of `tags`; null: whatever it is.
   */
  function put(
    id: string,
    { name, config, description = null, type = agentType(config) }: Static<typeof DraftPut>,
    tags: string[] | null,
    caller: string | null,
    actor: Actor,
  ) {
    return db.transaction().execute(async (trx) => {
      const agent = await find.lock(trx, id, caller);
      const before = await findDraft(trx, agent.id);
      if (tags && !tags.includes(revisionOf(agent, before))) throw new AppError('changed_meanwhile');
      const content = { name, description, type, config };
      const change = { before: { ...contentOf(before ?? agent) }, after: content, user_id: agent.user_id };
      await audit.record(trx, actor, 'agent.draft_changed', `agent/${agent.id}`, change);
      if (isSame(content, agent)) {
        await deleteDraft(trx, agent.id);
        return view(agent, undefined);
      }
      const made = madeBy(actor, later(before, clock.now()));
      return view(agent, await putDraft(trx, toRow(agent, content, made)));
    });
  }

  return { get, put };
}

function toRow(agent: Settled, { config, ...content }: Content, { created_by, created_by_user, created_at }: Made) {
  return {
    agent_id: agent.id,
    user_id: agent.user_id,
    based_on: agent.version,
    ...content,
    config: JSON.stringify(config),
    updated_by: created_by,
    updated_by_user: created_by_user,
    updated_at: created_at,
  };
}

/** Later than the previous change, which may have been in the same millisecond: the time tells revisions apart. */
function later(before: DraftRow | undefined, now: Date): Date {
  return new Date(Math.max(now.getTime(), (before?.updated_at.getTime() ?? 0) + 1));
}

/** The revision of a draft, another one for each that is saved; without one, the version that it would begin with. */
export function revisionOf(agent: Settled, draft: DraftRow | undefined): string {
  return draft?.updated_at.toISOString() ?? `version-${agent.version}`;
}

function view(agent: Settled, draft: DraftRow | undefined) {
  return {
    agent_id: agent.id,
    ...contentOf(draft ?? agent),
    has_changes: draft !== undefined,
    based_on: draft?.based_on ?? agent.version,
    revision: revisionOf(agent, draft),
    updated_by: draft?.updated_by ?? null,
    updated_at: draft?.updated_at ?? null,
  };
}
