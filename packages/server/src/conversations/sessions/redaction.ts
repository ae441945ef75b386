import { createRedactor, type Redactor } from '@switchboard/redaction';
import { redactJson } from '@switchboard/redaction/json';
import { patternProblem } from '@switchboard/redaction/patterns';
import { KINDS, type Redacted } from '@switchboard/redaction/types';
import { LruMap } from 'toad-cache';
import type { SessionPrivacy } from '../../db/privacy-tables.ts';
import type { Db } from '../../db/tables.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { findPrivacy, type Session } from './store.ts';

/** Rules whose compiled form is kept, and conversations whose last digits are. */
const MAX_RULES = 200;
const MAX_CONVERSATIONS = 5_000;

type Subject = Pick<Session, 'id' | 'privacy'>;

interface SaidLine {
  speaker: string;
  content: string;
}

/** Replaces secrets before they are written, whoever sends them. */
export function createRedactions(metrics: Pick<Metrics, 'redactionMissed'>) {
  const rules = new LruMap<SessionPrivacy | null>(MAX_CONVERSATIONS);
  const redactors = new LruMap<Redactor>(MAX_RULES);
  const conversations = new LruMap<ReturnType<Redactor['conversation']>>(MAX_CONVERSATIONS);

  function redactorOf(privacy: SessionPrivacy): Redactor {
    const key = JSON.stringify(privacy);
    const known = redactors.get(key);
    if (known) return known;
    // Nobody has checked the configuration of an agent: its worker refuses one with a wrong pattern.
    const custom = privacy.custom.filter(({ pattern }) => patternProblem(pattern) === null);
    const redactor = createRedactor({ ...privacy, custom });
    redactors.set(key, redactor);
    return redactor;
  }

  function conversationOf(id: string, privacy: SessionPrivacy) {
    const known = conversations.get(id);
    if (known) return known;
    const conversation = redactorOf(privacy).conversation();
    conversations.set(id, conversation);
    return conversation;
  }

  function count({ spans }: Redacted): void {
    for (const { kind } of spans)
      metrics.redactionMissed.inc({ kind: KINDS.some((one) => one === kind) ? kind : 'custom' });
  }

  /** Any JSON without its secrets; `found` is told of those in each text. */
  function withoutSecrets<T>(privacy: SessionPrivacy, value: T, found: (redacted: Redacted) => void): T {
    const { redact } = redactorOf(privacy);
    return redactJson(value, (text) => {
      const redacted = redact(text);
      found(redacted);
      return redacted.text;
    });
  }

  return {
    /**
     * Replaces the secrets in the lines of a conversation that follow those said `before`, and each other. Counts what
     * a worker has left in its own if `isReported`.
     */
    after({ privacy }: Pick<Subject, 'privacy'>, before: SaidLine[]) {
      if (privacy === null) return ({ content }: SaidLine) => content;
      const conversation = redactorOf(privacy).conversation();
      for (const { speaker, content } of before) conversation.redact(speaker, content);
      return ({ speaker, content }: SaidLine, isReported = false): string => {
        const redacted = conversation.redact(speaker, content);
        if (isReported) count(redacted);
        return redacted.text;
      };
    },
    /**
     * A line of a worker, which should have replaced the secrets: counts those that are left. A number over several
     * lines is followed as far as they come to this process.
     */
    reportedLine({ id, privacy }: Subject, speaker: string, content: string): string {
      if (privacy === null) return content;
      const redacted = conversationOf(id, privacy).redact(speaker, content);
      count(redacted);
      return redacted.text;
    },
    /** The rules of a conversation, which never change; null for none, and for an unknown one. */
    async privacyOf(within: Db, id: string): Promise<SessionPrivacy | null> {
      const known = rules.get(id);
      if (known !== undefined) return known;
      const privacy = await findPrivacy(within, id);
      rules.set(id, privacy);
      return privacy;
    },
    /** Any JSON that a conversation gets from another one. */
    copied<T>({ privacy }: Subject, value: T): T {
      return privacy === null ? value : withoutSecrets(privacy, value, () => undefined);
    },
    /** Any JSON of a worker. */
    reported: <T>(privacy: SessionPrivacy | null, value: T): T =>
      privacy === null ? value : withoutSecrets(privacy, value, count),
  };
}
