import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { isId, newId } from '../../lib/ids.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import { isLongerThan, type JsonObject } from '../../lib/json.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { type Actor, owned } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { type Field, fieldsOf, MAX_ITEMS, MAX_VALUE, schemaProblems, weightProblems } from './fields.ts';
import { type ExtractorPut, MAX_EXTRACTOR_VERSIONS, MAX_EXTRACTORS, MAX_SCHEMA_BYTES } from './schema.ts';
import {
  addVersion,
  countExtractors,
  deleteExtractor,
  deleteExtractorsOf,
  deleteVersionsUpTo,
  type ExtractorRow,
  findExtractor,
  findExtractorByName,
  findVersionsOf,
  listExtractors,
  lockExtractors,
} from './store.ts';

export { type Field, fieldsOf, MAX_ITEMS, MAX_VALUE };
export type Extractors = ReturnType<typeof createExtractors>;

/** The content of a version. */
export type ExtractorContent = Required<Omit<ExtractorPut, 'name'>>;
export type Extractor = ReturnType<typeof view>;

type Deps = Pick<Platform, 'db' | 'clock' | 'audit'>;

/** Extractors of users: what a model is to read out of the transcripts of calls. */
export function createExtractors({ db, clock, audit }: Deps) {
  /**
   * Adds an extractor, or the next version of the user's one with its name, unless that says the same. Throws
   * `InvalidFields` for a schema that a model cannot fill, with the places, and `too_many_extractors`.
   */
  async function save(user_id: string, { name, ...input }: ExtractorPut, actor: Actor) {
    const content = completed(input);
    assertFillable(content);
    return db.transaction().execute(async (trx) => {
      await lockExtractors(trx, user_id);
      const before = await findExtractorByName(trx, user_id, name);
      const text = JSON.stringify(content);
      if (before?.content === text) return { extractor: view(before), is_new: false };
      if (!before && (await countExtractors(trx, user_id)) >= MAX_EXTRACTORS) throw new AppError('too_many_extractors');
      await addVersion(trx, { id: newId(), user_id, name, content: text, at: clock.now() });
      const after = await findExtractorByName(trx, user_id, name);
      if (!after) throw new Error('no extractor was kept');
      if (after.version > MAX_EXTRACTOR_VERSIONS)
        await deleteVersionsUpTo(trx, after.id, after.version - MAX_EXTRACTOR_VERSIONS);
      const change = { user_id, before: before ? shown(before) : null, after: shown(after) };
      await audit.record(trx, actor, 'extractor.saved', `extractor/${after.id}`, change);
      return { extractor: view(after), is_new: !before };
    });
  }

  /** Throws `not_found` for an id that is unknown, malformed or another user's, and for a version that is not kept. */
  async function find(within: Db, id: string, version: number | null, caller: string | null): Promise<ExtractorRow> {
    return owned(isId(id) ? await findExtractor(within, id, version) : undefined, caller);
  }

  /** Deletes all its versions. Agents that name it analyse no more; what it has found stays. */
  async function remove(id: string, caller: string | null, actor: Actor): Promise<void> {
    const { user_id } = await find(db, id, null, caller);
    await db.transaction().execute(async (trx) => {
      await lockExtractors(trx, user_id);
      const before = await find(trx, id, null, caller);
      await deleteExtractor(trx, before.id, clock.now());
      await audit.record(trx, actor, 'extractor.deleted', `extractor/${before.id}`, { user_id, before: shown(before) });
    });
  }

  return {
    save,
    get: async (id: string, version: number | null, caller: string | null) => view(await find(db, id, version, caller)),
    list: async (user_id: string, page: PageRequest) => {
      const { items, next_cursor } = toPage(await listExtractors(db, user_id, page), page.limit, ({ id }) => id);
      return { items: items.map(view), next_cursor };
    },
    remove,
    /** Those of these versions that the user has; of the newest where the version is null. */
    named: async (within: Db, user_id: string, wanted: { name: string; version: number | null }[]) =>
      (await findVersionsOf(within, user_id, wanted)).map(view),
    /** Blocks changes of the user's extractors, and starts of backfills, until the transaction ends. */
    lock: lockExtractors,
    erase: deleteExtractorsOf,
  };
}

function completed({
  schema,
  instructions,
  model,
  when,
  sample,
  weights,
}: Omit<ExtractorPut, 'name'>): ExtractorContent {
  return {
    schema,
    instructions: instructions ?? '',
    model: model ?? null,
    when: when ?? {},
    sample: sample ?? 1,
    weights: weights ?? {},
  };
}

function assertFillable({ schema, weights }: ExtractorContent): void {
  const msg = `Input should have at most ${MAX_SCHEMA_BYTES} bytes as JSON`;
  if (isLongerThan(schema, MAX_SCHEMA_BYTES)) throw new InvalidFields({ field: 'schema', msg, type: 'too_long' });
  const problems = schemaProblems(schema);
  if (problems.length === 0) problems.push(...weightProblems(schema, weights));
  if (problems.length > 0) throw new InvalidFields(...problems);
}

function view({ id, user_id, name, version, content, created_at, updated_at }: ExtractorRow) {
  const { schema, instructions, model, when, sample, weights }: ExtractorContent = JSON.parse(content);
  return { id, user_id, name, version, schema, instructions, model, when, sample, weights, created_at, updated_at };
}

function shown({ name, version, content }: ExtractorRow): JsonObject {
  return { name, version, ...JSON.parse(content) };
}
