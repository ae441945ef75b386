import { Compile } from 'typebox/compile';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { firstUnstorable } from '../../lib/json.ts';
import { canonicalNumber } from '../../lib/phone.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { isRegion, isTimeZone } from '../policies/policies.ts';
import { isAhead, OBTAINED_LATER, type Suppressions } from '../suppressions/suppressions.ts';
import type { Campaigns } from './campaigns.ts';
import { type Line, stopAt } from './lines.ts';
import { MAX_LINES, MAX_RECIPIENTS, MAX_REFUSALS, RecipientInput } from './recipient-schema.ts';
import { addRecipients, type NewRecipient, nextWaiting } from './recipients-store.ts';
import { recipientsIn, settingsOf } from './settings.ts';
import { type CampaignChange, type CampaignRow, countsOf, updateCampaign } from './store.ts';

/** Recipients per transaction. */
const BATCH = 1_000;
/** How long a campaign that is being filled is not taken for complete, and when this is said again. */
const FILLING_MS = 60_000;
const AGAIN_MS = 20_000;
/** JSON of variables, and of metadata: as `POST /api/calls/outbound` takes them. */
const MAX_JSON_BYTES = 16 * 1024;

export type Importing = ReturnType<typeof createImporting>;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'audit'> {
  campaigns: Campaigns;
  consents: Pick<Suppressions['consents'], 'addIn'>;
  wake: () => void;
}

interface Added {
  added: number;
  known: number;
  consents_added: number;
  refused: number;
  refusals: { line: number; field: string | null; msg: string }[];
  /** Null for a file that was read to its end. */
  stopped_at_line: number | null;
}

interface Import {
  user_id: string;
  id: string;
  lines: AsyncIterable<Line>;
  /** Throws for a user that may not store that many bytes more. */
  admit: (bytes: number) => Promise<void>;
}

interface Into {
  user_id: string;
  id: string;
  actor: Actor;
  /** Whether the campaign was complete when it was marked as being filled: it may run again with these recipients. */
  wasComplete: boolean;
}

/** A line that was understood. */
interface Read {
  recipient: NewRecipient;
  consent: NonNullable<RecipientInput['consent']> | null;
  /** The length of what users may store a limited amount of. */
  bytes: number;
}

/** The word of an import that the campaign is being filled. */
interface Mark {
  /** Its time tells it from those of others. */
  until: Date;
  /** The one that another import had made before, which may go on after this one. */
  others: Date | null;
  wasComplete: boolean;
}

/** The state of an import. */
interface Filling {
  result: Added;
  mark: Mark | null;
}

/** Adds recipients in batches, so that a file of any length takes the memory of a few thousand lines. */
export function createImporting({ db, clock, audit, campaigns, consents, wake }: Deps) {
  /**
   * Adds the recipients whose external ids are new; refused lines are reported, and the others taken. What was added
   * before a file broke off stays, and sending it again adds the rest. Throws `not_found`, `campaign_state`,
   * `too_many_recipients`, and what `admit` throws.
   */
  async function add(from: Import, actor: Actor): Promise<Added> {
    const { user_id, id, lines } = from;
    const none: Added = { added: 0, known: 0, consents_added: 0, refused: 0, refusals: [], stopped_at_line: null };
    const filling: Filling = { result: none, mark: null };
    let storing = Promise.resolve();
    try {
      for await (const batch of batches(lines, filling.result, clock)) {
        await storing;
        // The database stores it while the next lines are read.
        storing = store(from, batch, filling, actor);
        storing.catch(() => {});
      }
      await storing;
      // Also of a list without a line that was taken.
      if (filling.mark === null) await campaigns.findOwn(user_id, id);
    } finally {
      await storing.catch(() => {});
      const { mark, result } = filling;
      if (mark !== null) await finish({ user_id, id, mark }, result.added, actor);
      wake();
    }
    return filling.result;
  }

  async function store({ user_id, id, admit }: Import, batch: Read[], filling: Filling, actor: Actor): Promise<void> {
    await admit(batch.reduce((sum, { bytes }) => sum + bytes, 0));
    const { result } = filling;
    let { mark } = filling;
    if (mark === null || mark.until.getTime() - clock.now().getTime() <= FILLING_MS - AGAIN_MS)
      filling.mark = mark = await markFilling(user_id, id, mark);
    const into = { user_id, id, actor, wasComplete: mark.wasComplete };
    const { added, consents_added } = await db.transaction().execute((trx) => addBatch(trx, into, batch));
    if (added > 0) mark.wasComplete = false;
    result.added += added;
    result.known += batch.length - added;
    result.consents_added += consents_added;
  }

  /** Keeps a campaign from being complete; one that is stays so until somebody is added. */
  async function markFilling(user_id: string, id: string, before: Mark | null): Promise<Mark> {
    return db.transaction().execute(async (trx) => {
      const { state, filling_until: found } = await campaigns.lockOwn(trx, user_id, id);
      if (state === 'canceled') throw new AppError('campaign_state');
      const until = new Date(Math.max(clock.now().getTime() + FILLING_MS, (found?.getTime() ?? 0) + 1));
      const wasComplete = await isOver(trx, { id, state });
      await updateCampaign(trx, id, { filling_until: until, ...(!wasComplete && goOn(state)) });
      const others = isSame(found, before?.until) ? (before?.others ?? null) : found;
      return { until, others, wasComplete };
    });
  }

  async function finish(
    { user_id, id, mark }: Pick<Import, 'user_id' | 'id'> & { mark: Mark },
    added: number,
    actor: Actor,
  ): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const { state, filling_until: found } = await campaigns.lockOwn(trx, user_id, id);
      // Another file that is read at the same time has said so since, or had before and may still be.
      const filling_until = isSame(found, mark.until) ? mark.others : found;
      const again = !(await isOver(trx, { id, state })) && goOn(state);
      await updateCampaign(trx, id, { filling_until, ...again });
      const detail = `${added}`;
      await audit.record(trx, actor, 'campaign.recipients_added', `campaign/${id}`, { user_id, detail });
    });
  }

  /** A turn for those that were added: it calls them, or ends them if the campaign has been canceled or has expired. */
  function goOn(state: CampaignRow['state']): CampaignChange {
    if (state === 'draft') return {};
    const again = state === 'completed' && { state: 'running' as const, ended_at: null };
    return { turn_at: clock.now(), ...again };
  }

  /** Stores the consents of recipients that are new: a file that is sent again would add those of others twice. */
  async function addBatch(
    trx: Db,
    { user_id, id, actor, wasComplete }: Into,
    batch: Read[],
  ): Promise<Pick<Added, 'added' | 'consents_added'>> {
    const rows = batch.map(({ recipient }) => recipient);
    const isGiven = batch.some(({ consent }) => consent !== null);
    // Locked before its recipients are: it runs again with them, and consents are for the purpose that it has now.
    const campaign = isGiven || wasComplete ? await campaigns.lockOwn(trx, user_id, id) : null;
    const added = await addRecipients(trx, { campaign_id: id, user_id, now: clock.now() }, rows);
    // Counted after adding: another file may have added some meanwhile.
    const { total } = recipientsIn(await countsOf(trx, [id]));
    if (total > MAX_RECIPIENTS) throw new AppError('too_many_recipients');
    if (campaign?.state === 'completed' && added.size > 0) await updateCampaign(trx, id, goOn(campaign.state));
    const purpose = campaign ? settingsOf(campaign).purpose : 'marketing';
    const given = batch.flatMap(({ recipient: { id: of, phone_number }, consent }) =>
      consent && added.has(of) ? { ...consent, phone_number, purpose } : [],
    );
    await consents.addIn(trx, user_id, given);
    const detail = `${given.length}`;
    if (given.length > 0) await audit.record(trx, actor, 'consent.added', `campaign/${id}`, { user_id, detail });
    return { added: added.size, consents_added: given.length };
  }

  return { add };
}

const TOO_MANY = `A file should have ${MAX_LINES} lines at most`;

/** Whether a campaign is complete. Somebody waits in one that became so while a file was read: it runs again. */
const isOver = async (trx: Db, { id, state }: Pick<CampaignRow, 'id' | 'state'>): Promise<boolean> =>
  state === 'completed' && !(await nextWaiting(trx, id));

const isSame = (one: Date | null, other: Date | undefined) => one !== null && one.getTime() === other?.getTime();

async function* batches(lines: AsyncIterable<Line>, result: Added, clock: Platform['clock']): AsyncGenerator<Read[]> {
  let batch: Read[] = [];
  let count = 0;
  for await (const one of lines) {
    const isTooMany = ++count > MAX_LINES;
    const { line, value, problem, field = null, isLast } = isTooMany ? stopAt(one.line, TOO_MANY) : one;
    const read = problem === null ? readRecipient(value, clock.now()) : { field, msg: problem };
    if ('recipient' in read) batch.push(read);
    else {
      result.refused++;
      // Lines that were left out are told of, whatever else was refused.
      if (result.refusals.length < MAX_REFUSALS || isLast) result.refusals.push({ line, ...read });
    }
    if (isLast) result.stopped_at_line = line;
    if (batch.length === BATCH) {
      yield batch;
      batch = [];
    }
    if (isLast) break;
  }
  if (batch.length > 0) yield batch;
}

const validator = Compile(RecipientInput);

/** The recipient, or the field that is wrong and why. */
function readRecipient(value: unknown, now: Date): Read | { field: string | null; msg: string } {
  if (!validator.Check(value)) {
    const [error] = validator.Errors(value);
    const field = error?.instancePath.replace(/^\//, '').replaceAll('/', '.') || null;
    const isNumber = field === 'phone_number';
    return {
      field,
      msg: isNumber ? 'Input should be a phone number in E.164' : (error?.message ?? 'Input is invalid'),
    };
  }
  const bad = firstUnstorable(value);
  if (bad) return { field: bad.path.join('.') || null, msg: bad.msg };
  const { phone_number, external_id, variables, metadata, time_zone = null, region = null, consent = null } = value;
  if (time_zone !== null && !isTimeZone(time_zone))
    return { field: 'time_zone', msg: 'Input should be an IANA time zone' };
  if (region !== null && !isRegion(region))
    return { field: 'region', msg: 'Input should be a country, or a region of one' };
  if (consent && isAhead(consent, now)) return { field: 'consent.obtained_at', msg: OBTAINED_LATER };
  const json = {
    variables: variables ? JSON.stringify(variables) : null,
    metadata: metadata ? JSON.stringify(metadata) : null,
  };
  for (const [field, text] of Object.entries(json)) {
    if (text === null) continue;
    if (Buffer.byteLength(text) > MAX_JSON_BYTES)
      return { field, msg: `Input should have ${MAX_JSON_BYTES / 1024} KiB at most` };
  }
  const recipient = {
    id: newId(),
    external_id: external_id ?? canonicalNumber(phone_number),
    phone_number,
    ...json,
    time_zone,
    region,
  };
  const texts = [json.variables, json.metadata, consent?.text, consent?.evidence_url];
  return { recipient, consent, bytes: texts.reduce((sum, text) => sum + (text?.length ?? 0), 0) };
}
