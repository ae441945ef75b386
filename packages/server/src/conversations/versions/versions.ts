import { type Idempotency, once } from '../../access/idempotency/idempotency.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { type Agents, type Content, contentOf, pinExtractors } from '../agents/agents.ts';
import { diffOf } from './diff.ts';
import { findDraft } from './draft-store.ts';
import { createDrafts, revisionOf } from './drafts.ts';
import type { Gate } from './gate.ts';
import { createHistory, type EnqueueRelease, eraseHistory, keep, madeBy } from './history.ts';
import { createVersionMemo, type VersionMemo } from './memo.ts';
import type { Release } from './release-store.ts';
import { createReleases } from './releases.ts';
import { createSettled, type Settled } from './settled.ts';
import { addNote, findVersions, listVersions, type Version } from './store.ts';
import { assertValid } from './valid.ts';

export type { Gate, Release, VersionMemo };
export { createHistory, createVersionMemo, eraseHistory };
export type Versions = ReturnType<typeof createVersions>;

/** A version by its number, or the draft. */
type Source = number | 'draft';

interface VersionInput {
  from?: Source | undefined;
  note?: string | null | undefined;
  /** Revisions that the draft may have. */
  tags?: string[] | null;
}

interface Deps extends Pick<Platform, 'db' | 'clock' | 'audit'> {
  agents: Agents;
  gate: Gate;
  callbacks: { enqueueRelease: EnqueueRelease };
}

/** Versions of agents: what calls get of them, which never changes; drafts of them, and releases. */
export function createVersions({ db, clock, audit, agents, gate, callbacks }: Deps) {
  const find = createSettled({ db, clock, agents });

  /** Throws `not_found` for an unknown agent, or version. */
  async function get(id: string, number: number, caller: string | null): Promise<Version> {
    const agent = await find.get(id, caller);
    return read(db, agent.id, number);
  }

  async function list(id: string, page: PageRequest, caller: string | null) {
    const agent = await find.get(id, caller);
    return toPage(await listVersions(db, agent.id, page), page.limit, ({ number }) => String(number));
  }

  /**
   * Makes a version; content that there is a version of already is that version, and gets the note if it has none.
   * Throws `InvalidFields` for a configuration with problems, and for an unknown version; `changed_meanwhile` for a
   * draft whose revision is not one of `tags`; null: whatever it is.
   */
  async function create(
    id: string,
    { from = 'draft', note, tags = null }: VersionInput,
    caller: string | null,
    actor: Actor,
    idempotency: Idempotency | null,
  ): Promise<{ version: Version; is_new: boolean }> {
    const { id: agent_id, user_id } = await agents.get(id, caller);
    const { answer } = await once(db, user_id, idempotency, async (trx) => {
      const agent = await find.lock(trx, agent_id, caller);
      if (from === 'draft' && tags && !tags.includes(revisionOf(agent, await findDraft(trx, agent_id))))
        throw new AppError('changed_meanwhile');
      const content = await pinned(trx, agent, from);
      assertValid(content.config, ['config']);
      const kept = await keepAudited(trx, agent, content, actor);
      if (typeof note === 'string') await addNote(trx, agent_id, kept.number, note);
      return kept;
    });
    return { version: await read(db, agent_id, answer.number), is_new: answer.is_new };
  }

  /** Makes the draft of a user's agent a version, for a call that tries it; returns its number. Throws `not_found`. */
  function keepDraft(id: string, user_id: string, actor: Actor): Promise<number> {
    return db.transaction().execute(async (trx) => {
      const agent = await find.lock(trx, id, user_id);
      return (await keepAudited(trx, agent, await pinned(trx, agent, 'draft'), actor)).number;
    });
  }

  async function keepAudited(trx: Db, agent: Settled, content: Content, actor: Actor) {
    const kept = await keep(trx, agent, content, madeBy(actor, clock.now()));
    const change = { user_id: agent.user_id, after: { version: kept.number } };
    if (kept.is_new) await audit.record(trx, actor, 'agent.version_created', `agent/${agent.id}`, change);
    return kept;
  }

  /** The changes from one version, or the draft, to another. Throws `not_found`. */
  async function diff(id: string, from: Source, to: Source, caller: string | null) {
    const agent = await find.get(id, caller);
    const [before, after] = await Promise.all([from, to].map((source) => contentIn(db, agent, source)));
    if (!before || !after) throw new AppError('not_found');
    return { from, to, ...diffOf(contentOf(before), contentOf(after)) };
  }

  return {
    get,
    list,
    create,
    keepDraft,
    diff,
    drafts: createDrafts({ db, clock, audit, find }),
    releases: createReleases({ db, clock, audit, agents, find, gate, enqueueRelease: callbacks.enqueueRelease }),
  };
}

/** Throws `not_found`. */
async function read(db: Db, agent_id: string, number: number): Promise<Version> {
  const version = (await findVersions(db, agent_id, [number])).get(number);
  if (!version) throw new AppError('not_found');
  return version;
}

/** The same with the versions of its extractors. Throws `InvalidFields` for extractors that the user has not. */
async function pinned(trx: Db, agent: Settled, source: Source): Promise<Content> {
  const content = await contentIn(trx, agent, source);
  return { ...content, config: await pinExtractors(trx, agent.user_id, content.config) };
}

/** Throws `not_found` for an unknown version. Without a draft, what most calls get. */
async function contentIn(db: Db, agent: Settled, source: Source): Promise<Content> {
  return source === 'draft' ? ((await findDraft(db, agent.id)) ?? agent) : read(db, agent.id, source);
}
