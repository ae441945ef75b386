import type { Arm, StickyBy } from '../../db/agent-tables.ts';
import type { Db } from '../../db/tables.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { Actor } from '../../lib/principal.ts';
import { type Agent, type Content, type History, isSame, pinExtractors } from '../agents/agents.ts';
import { deleteDraft, deleteDraftOf, eraseDrafts, findDraft } from './draft-store.ts';
import { addRelease, deleteReleases, deleteReleasesUpTo, eraseReleases, type Release } from './release-store.ts';
import {
  deleteVersions,
  deleteVersionsUpTo,
  eraseVersions,
  findVersions,
  keepVersion,
  type Made,
  markReleased,
  type Owner,
} from './store.ts';

/** Versions kept of an agent, and releases; older ones are deleted, except versions that calls get. */
export const MAX_VERSIONS = 10_000;
const ALL = 100;

/** The maker of the content of an agent that a replica of an earlier release has written. */
const UNKNOWN = { created_by: 'upgrade', created_by_user: null };

/** The maker of a version, a release or a draft. */
export function madeBy({ actor, actor_name, actor_user_id }: Actor, created_at: Date): Made {
  return { created_by: actor_name ?? actor, created_by_user: actor_user_id ?? null, created_at };
}

/** Keeps content as a version of an agent, which is locked. */
export async function keep(trx: Db, agent: Agent, content: Content, made: Made) {
  const kept = await keepVersion(trx, agent, content, made);
  const inUse = [kept.number, agent.version ?? kept.number, ...(agent.arms ?? []).map(({ version }) => version)];
  if (kept.is_new && kept.number > MAX_VERSIONS)
    await deleteVersionsUpTo(trx, agent.id, kept.number - MAX_VERSIONS, inUse);
  return kept;
}

/** A release to be recorded. `previous` is the one that a rollback of it returns to; by default the one before it. */
interface NewRelease {
  arms: Arm[];
  sticky_by: StickyBy;
  previous?: number | null;
  repeats?: number;
  gate?: string | null;
}

/** Records a release of an agent, which is locked. A draft that says what all calls get is none any more. */
export async function recordRelease(
  trx: Db,
  { id, user_id }: Owner,
  release: NewRelease,
  made: Made,
): Promise<Release> {
  const versions = release.arms.map(({ version }) => version);
  const [only, ...others] = versions;
  const row = { ...release, ...made, agent_id: id, user_id, arms: JSON.stringify(release.arms) };
  const added = await addRelease(trx, row);
  await markReleased(trx, id, versions, made.created_at);
  if (only !== undefined && others.length === 0) await settleDraft(trx, { id, user_id }, only);
  if (added.number > MAX_VERSIONS) await deleteReleasesUpTo(trx, id, added.number - MAX_VERSIONS);
  return added;
}

/** Deletes a draft that says what a version says. Names of extractors in it stand for their newest versions. */
async function settleDraft(trx: Db, { id, user_id }: Owner, number: number): Promise<void> {
  await deleteDraftOf(trx, id, number);
  const draft = await findDraft(trx, id);
  const version = draft && (await findVersions(trx, id, [number])).get(number);
  if (!version || !Array.isArray(draft.config.extractors)) return;
  const config = await pinExtractors(trx, user_id, draft.config).catch(unfit);
  if (config && isSame({ ...draft, config }, version)) await deleteDraft(trx, id);
}

/** A draft that cannot be published says nothing that a version says. */
function unfit(error: unknown): null {
  if (error instanceof InvalidFields) return null;
  throw error;
}

/** Makes an agent's content a version that all calls get. Returns its number, and its release if that is new. */
async function keepForAll(trx: Db, agent: Agent, before: Agent | null, made: Made) {
  const { number } = await keep(trx, agent, agent, made);
  const isLive = before !== null && before.version === number && before.arms === null;
  if (isLive) return { number, release: null };
  const arms = [{ version: number, weight: ALL }];
  return { number, release: await recordRelease(trx, agent, { arms, sticky_by: 'none' }, made) };
}

/** Makes the content of an agent that has no versions its first one, and returns its number. */
export async function keepFirst(trx: Db, agent: Agent, at: Date): Promise<number> {
  return (await keepForAll(trx, agent, null, { ...UNKNOWN, created_at: at })).number;
}

/** Reports that calls of an agent get other versions, in the transaction that has them do so. */
export type EnqueueRelease = (trx: Db, agent: Owner, release: Release) => Promise<void>;

/**
 * Keeps versions and releases of agents, in the transactions that change them. Nobody is told of the first release of
 * an agent.
 */
export function createHistory({ enqueueRelease }: { enqueueRelease: EnqueueRelease }): History {
  return {
    keep: async (trx, agent, before, actor, at) => {
      if (before?.version === null) await keepFirst(trx, before, at);
      const { number, release } = await keepForAll(trx, agent, before, madeBy(actor, at));
      if (before && release) await enqueueRelease(trx, agent, release);
      return number;
    },
    forget: async (trx, agent_id) => {
      await deleteDraft(trx, agent_id);
      await deleteReleases(trx, agent_id);
      await deleteVersions(trx, agent_id);
    },
  };
}

/** Deletes versions, drafts and releases of a user, and replaces its name in those of others. */
export async function eraseHistory(trx: Db, user_id: string, pseudonym: string): Promise<void> {
  await eraseDrafts(trx, user_id, pseudonym);
  await eraseReleases(trx, user_id, pseudonym);
  await eraseVersions(trx, user_id, pseudonym);
}
