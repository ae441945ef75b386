import { decimal, type OutboundCallStarted, type Speaker, type Switchboard } from '@switchboard/client';
import type { Stream } from './stream.ts';

interface Rehearsal {
  stream: Stream;
  api: Switchboard;
  agent: { id: string; user_id: string; config: Record<string, unknown> };
  call: Pick<OutboundCallStarted, 'call_id' | 'room_name'>;
}

type Provider = 'stt' | 'llm' | 'tts';

const PAUSE_MS = 1_600;
const SCRIPT: [Speaker, string][] = [
  ['USER', 'Hi! I was wondering whether you are open on Saturday.'],
  ['AGENT', 'We are, from nine to one. Shall I book a time for you?'],
  ['USER', 'Yes please, around ten would be perfect.'],
  ['AGENT', 'Ten o’clock is free. I have put you down, and you will get a message to confirm.'],
  ['USER', 'Great. Could I also speak to someone about my invoice?'],
  ['AGENT', 'Of course. I can transfer you to a colleague, or is there anything else first?'],
];
/** Prices of the sandbox, in the unit of each event type. */
const PRICES = { stt: '0.0077', llm: '0.0000006', tts: '0.00003' };

/**
 * Acts as a worker in the sandbox, where phones are simulated and nobody speaks: after the answer, reports a
 * conversation and its simulated usage through the API until the call ends.
 */
export function startRehearsal(rehearsal: Rehearsal): void {
  // A call that ends meanwhile refuses late reports, and a closed page stops reporting.
  rehearse(rehearsal).catch(() => {});
}

async function rehearse({ stream, ...rehearsal }: Rehearsal): Promise<void> {
  const { api, agent, call } = rehearsal;
  const { greeting } = agent.config;
  const lines: [Speaker, string][] = [
    ['AGENT', typeof greeting === 'string' && greeting ? greeting : 'Hello! How can I help you?'],
    ...SCRIPT,
  ];
  const states = followStates(stream, call.call_id);
  try {
    const { call_status } = await api.calls.status(call.call_id);
    if (call_status === 'RINGING' && !(await states.answered)) return;
    for (const [index, [speaker, content]] of lines.entries()) {
      if (states.isOver()) return;
      // A `user` key may report neither: the call then has no turns, and costs nothing.
      if (speaker === 'AGENT' && index > 0) await reportTurn(api, call.call_id, index, content).catch(() => {});
      await api.sessions.addTranscript(call.room_name, { speaker, content });
      await reportUsage(rehearsal, speaker, content).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  } finally {
    states.stop();
  }
}

/** Whether a call is answered, and whether it has ended. */
function followStates(stream: Stream, callId: string) {
  let over = false;
  let settle: (isAnswered: boolean) => void = () => {};
  const answered = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  const stop = stream.subscribe((events) => {
    for (const { event, data } of events) {
      if (event !== 'call' || data.call_id !== callId) continue;
      over ||= data.ended_at !== null;
      if (over || data.call_status === 'ANSWERED') settle(!over);
    }
  });
  return { answered, isOver: () => over, stop };
}

/** A plausible latency for an agent's answer: a longer sentence takes longer to start. */
async function reportTurn(api: Switchboard, callId: string, index: number, content: string): Promise<void> {
  const first_token_ms = 380 + content.length * 3;
  const latency = {
    transcript_ms: 160 + (content.length % 7) * 12,
    first_token_ms,
    first_audio_ms: first_token_ms + 240,
  };
  const end_of_speech_at = new Date(Date.now() - latency.first_audio_ms).toISOString();
  await api.sessions.reportTurns(callId, { turns: [{ turn_index: (index - 1) >> 1, end_of_speech_at, ...latency }] });
}

/** Usage of recognized speech, or of a generated and spoken answer. */
async function reportUsage(
  { api, agent, call }: Omit<Rehearsal, 'stream'>,
  speaker: Speaker,
  content: string,
): Promise<void> {
  const event = (kind: Provider, event_type: 'stt_minutes' | 'llm_tokens' | 'tts_characters', quantity: string) => ({
    session_id: call.call_id,
    user_id: agent.user_id,
    agent_id: agent.id,
    provider: providerOf(agent.config, kind),
    event_type,
    quantity,
    unit_cost: PRICES[kind],
    total_cost: decimal.multiply(quantity, PRICES[kind]),
  });
  const length = String(content.length);
  const events =
    speaker === 'USER'
      ? [event('stt', 'stt_minutes', decimal.multiply(length, '0.001'))]
      : [event('llm', 'llm_tokens', decimal.multiply(length, '12')), event('tts', 'tts_characters', length)];
  await api.usage.logBatch({ events });
}

function providerOf(config: Record<string, unknown>, kind: Provider): string {
  const section = config[kind] as { provider?: unknown } | undefined;
  return typeof section?.provider === 'string' ? section.provider : 'openai';
}
