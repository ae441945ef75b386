/**
 * A process of calls without a media server: reads calls from its input, and tells their lines, tools and audio to its
 * outbox and its log as `agent.ts` and the library do.
 */
import { text } from 'node:stream/consumers';
import { initializeLogger, log } from '@livekit/agents';
import type { RecordingReport, SegmentCreate } from '@switchboard/client';
import { openOutbox } from '@switchboard/client/outbox';
import { redactionOf } from '../agent.ts';
import { readConfig } from '../conversation/config.ts';
import { leaveOutWords } from '../conversation/logged-words.ts';
import { readCall } from '../switchboard/call.ts';
import { readPrices } from '../switchboard/prices.ts';
import { createSwitchboard, type Speaker } from '../switchboard/switchboard.ts';
import { completion, events } from './stand-in.ts';

interface Told {
  /** That of the dispatch. */
  metadata: string;
  lines: [speaker: Speaker, text: string][];
  /** Arguments and results of a tool. */
  tools?: object[];
  recording?: { id: string; report: RecordingReport; segments: SegmentCreate[] };
}

interface Input {
  spoolDir: string;
  logLevel: string;
  /** On a terminal the log is in color. */
  isTerminal: boolean;
  calls: Told[];
  /** A message of a chat, and what the model answers. */
  chat?: { content: string; answer: string; config: object };
}

const { spoolDir, logLevel, isTerminal, calls, chat }: Input = JSON.parse(await text(process.stdin));
leaveOutWords(process.stdout, logLevel);
// This module has a logger of its own.
const { startChats, until } = await import('./chat-service.ts');
initializeLogger({ pretty: isTerminal, level: logLevel });
const outbox = await openOutbox(spoolDir);
for (const [index, told] of calls.entries()) await tell(told, `job-${process.pid}-${index}`);
if (chat) await converse(chat);

async function converse({ content, answer, config }: NonNullable<Input['chat']>): Promise<void> {
  const ends: (() => unknown)[] = [];
  const t = { after: (end: () => unknown) => ends.push(end) };
  const { add, sent } = await startChats(t as never, (_asked, response) =>
    events(response, completion([{ content: answer }]), '[DONE]'),
  );
  add(content, config);
  await until(() => sent('/complete').length === 1);
  for (const end of ends) await end();
}

async function tell({ metadata, lines, tools = [], recording }: Told, job_id: string): Promise<void> {
  const call = readCall(metadata);
  const logger = log().child({ session_id: call.session_id });
  const { redact, redactText } = await redactionOf(readConfig(call));
  const prices = readPrices(null);
  const switchboard = createSwitchboard({ call, outbox, prices, job_id, redact, redactText, log: logger });
  for (const [speaker, said] of lines) {
    if (speaker === 'USER') logger.debug({ 'lk.pii.user_transcript': said }, 'received user transcript');
    else logger.info({ 'lk.pii.message': said }, 'playout completed without interruption');
    switchboard.transcript(speaker, said);
  }
  const called_at = new Date().toISOString();
  for (const one of tools) switchboard.tool({ name: 'note', called_at, arguments: one, result: { value: one } });
  if (recording) {
    await switchboard.recording.state(recording.id, recording.report);
    for (const segment of recording.segments) await switchboard.recording.segment(recording.id, segment);
  }
  logger.info({}, 'told');
  await switchboard.settled();
}
