/** Replaces secrets in everything that leaves this process for a store: the model and functions get what was said. */

import type { ChatTurn } from '@switchboard/client';
import { createRedactor, type Redactor } from '@switchboard/redaction';
import { redactJson } from '@switchboard/redaction/json';
import { patternProblem } from '@switchboard/redaction/patterns';
import type { Redacted, Rules } from '@switchboard/redaction/types';
import type { ChatEvent } from '../chat/reporter.ts';
import { changeLines, PERSONAL } from './logged-words.ts';

type Report = (event: ChatEvent) => void;

/** Earlier messages of a chat that may ask for the number that comes next. */
const REMEMBERED = 10;

/** Throws if a pattern cannot be used: nobody would notice that it replaces nothing. */
export function openRedactor(rules: Rules): Redactor {
  for (const { name, pattern } of rules.custom ?? []) {
    const problem = patternProblem(pattern);
    if (problem !== null)
      throw new Error(`The agent's config is wrong: privacy.custom: the pattern ${name}: ${problem}`);
  }
  return createRedactor(rules);
}

/** Redacts the lines of a call, in the order in which they are said. */
export function redactLines(redactor: Redactor): (speaker: string, text: string) => Redacted {
  const conversation = redactor.conversation();
  return (speaker, text) => conversation.redact(speaker, text);
}

/** Redacts the lines of a log that a process writes to its output. What is said is followed over several of them. */
export function redactOutput(output: Pick<NodeJS.WriteStream, 'write'>, redactor: Redactor): void {
  const said = redactLines(redactor);
  const redact = (text: string) => redactor.redact(text).text;
  let [last, kept] = ['', ''];

  /** A part of what is said has several names, and is logged again when it ends. */
  function redactSaid(name: string, text: string): string {
    if (text !== last) kept = said(name.endsWith('transcript') ? 'USER' : name, text).text;
    last = text;
    return kept;
  }

  const redactField = ([name, value]: [string, unknown]) => {
    const isSaid = name.startsWith(PERSONAL) && typeof value === 'string';
    return [redact(name), isSaid ? redactSaid(name, value) : redactJson(value, redact)];
  };

  changeLines(output, (line) => {
    if (!line.startsWith('{')) return redact(line);
    try {
      const { level, time, pid, ...others } = JSON.parse(line) as Record<string, unknown>;
      return JSON.stringify({ level, time, pid, ...Object.fromEntries(Object.entries(others).map(redactField)) });
    } catch {
      return redact(line);
    }
  });
}

/**
 * Redacts the answer to a message of a chat. Its words are reported at the end of each step and not as they come: a
 * secret may begin in one piece and end in the next.
 */
export function redactAnswer(redactor: Redactor, { messages }: Pick<ChatTurn, 'messages'>, report: Report) {
  const conversation = () => {
    const lines = redactLines(redactor);
    for (const { speaker, content } of messages.slice(-REMEMBERED)) lines(speaker, content);
    return lines;
  };
  const redactWords = conversation();
  const redactJsonText = (text: string) => redactor.redact(text).text;
  let words = '';

  function endStep(): void {
    if (words !== '') report({ type: 'words', text: redactWords('AGENT', words).text });
    words = '';
  }

  return {
    /** Replaces secrets in what a tool writes, after the messages of the chat. */
    redact: (speaker: string, text: string): string => conversation()(speaker, text).text,
    report(event: ChatEvent): void {
      if (event.type === 'words') {
        words += event.text;
        return;
      }
      endStep();
      if (event.type === 'tool_call') report({ ...event, arguments: redactJson(event.arguments, redactJsonText) });
      else if (event.type === 'tool_result') report({ ...event, result: redactJsonText(event.result) });
      else report(event);
    },
    /** Reports the last words; returns the whole answer as it is kept. */
    end(content: string): string {
      endStep();
      return conversation()('AGENT', content).text;
    },
  };
}
