import { appendFileSync, existsSync, truncateSync } from 'node:fs';
import type { Switchboard } from './client.ts';
import { SwitchboardError } from './errors.ts';
import type { Evidence } from './evidence.ts';
import { readLines } from './evidence-files.ts';

const PAGE = 100;
const HOUR_MS = 3_600_000;
/** Why there is no document, as the service says it. */
const NONE = ['call_not_ended', 'not_found'] as const;
type None = (typeof NONE)[number];

export type Collected = Record<'added' | 'known' | None, number>;

/** A call, or a decision that led to none. */
interface Subject {
  id: string;
  isCall: boolean;
}

/**
 * Adds the evidence of a campaign to a file, a document a line: of all its calls, and of decisions by which nobody was
 * called. What the file has already is not asked for, and a last line that was broken off is dropped: so it goes on
 * where it was interrupted. Throws `SwitchboardError`.
 */
export async function collectEvidence(switchboard: Switchboard, campaign_id: string, file: string): Promise<Collected> {
  const collected: Collected = { added: 0, known: 0, call_not_ended: 0, not_found: 0 };
  // Before the file is touched.
  const { created_at } = await switchboard.campaigns.get(campaign_id);
  const known = existsSync(file) ? resume(file) : new Set();
  for await (const subject of subjectsOf(switchboard, campaign_id, created_at)) {
    const document = known.has(subject.id) ? 'known' : await documentOf(switchboard, subject);
    if (typeof document === 'string') collected[document]++;
    else {
      appendFileSync(file, `${document.text}\n`);
      collected.added++;
    }
  }
  return collected;
}

/** The calls and decisions whose documents the file has. A last line is completed, or dropped if it was broken off. */
function resume(file: string): Set<string> {
  const known = new Set<string>();
  let last = 0;
  for (const { line, end } of readLines(file)) {
    if (end !== null) {
      known.add(idOf(line, file));
      last = end;
    } else if (isBrokenOff(line)) truncateSync(file, last);
    else {
      known.add(idOf(line, file));
      appendFileSync(file, '\n');
    }
  }
  return known;
}

/** Whether a line is the beginning of a document. */
function isBrokenOff(line: Buffer): boolean {
  const text = line.toString();
  try {
    JSON.parse(text);
    return false;
  } catch {
    return text.startsWith('{');
  }
}

function idOf(line: Buffer, file: string): string {
  try {
    const evidence: Evidence = JSON.parse(line.toString());
    return 'call' in evidence ? evidence.call.call_id : evidence.decision.id;
  } catch (cause) {
    throw new Error(`${file} has a line that is no evidence: it is left as it is`, { cause });
  }
}

async function* subjectsOf(
  switchboard: Switchboard,
  campaign_id: string,
  created_at: string,
): AsyncGenerator<Subject, void, undefined> {
  for await (const { attempts } of switchboard.campaigns.recipients(campaign_id, { limit: PAGE }))
    for (const { call_id } of attempts) yield { id: call_id, isCall: true };
  // Replicas may write decisions out of their order by moments.
  const oldest = new Date(Date.parse(created_at) - HOUR_MS).toISOString();
  // The newest first. Those with a call are in its document.
  for await (const { id, call_id, inputs, evaluated_at } of switchboard.dialing.decisions({ limit: PAGE })) {
    if (evaluated_at < oldest) return;
    if (call_id === null && inputs.campaign_id === campaign_id) yield { id, isCall: false };
  }
}

/** The document as it was signed, byte by byte, or why there is none. */
async function documentOf({ api }: Switchboard, { id, isCall }: Subject): Promise<{ text: string } | None> {
  try {
    const asSent = { parseAs: 'text' } as const;
    const { data = '' } = isCall
      ? await api.GET('/api/calls/{call_id}/evidence', { ...asSent, params: { path: { call_id: id } } })
      : await api.GET('/api/dial-decisions/{decision_id}/evidence', {
          ...asSent,
          params: { path: { decision_id: id } },
        });
    return { text: data };
  } catch (error) {
    const none = error instanceof SwitchboardError ? NONE.find((code) => code === error.code) : undefined;
    if (none === undefined) throw error;
    return none;
  }
}
