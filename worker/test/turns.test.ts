import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initializeLogger, llm, type metrics, voice } from '@livekit/agents';
import * as openai from '@livekit/agents-plugin-openai';
import { reportTurns, type TurnLatency } from '../conversation/turns.ts';

initializeLogger({ pretty: false, level: 'silent' });
const { AgentStateChanged, ConversationItemAdded, MetricsCollected, UserInputTranscribed, UserStateChanged } =
  voice.AgentSessionEventTypes;

/** A session, and its events of a turn, in milliseconds after the first. */
function startSession(options: ConstructorParameters<typeof voice.AgentSession>[0]) {
  const session = new voice.AgentSession({ vad: null, ...options });
  const told: TurnLatency[] = [];
  reportTurns(session, { endOfSpeech: (at) => at, firstSound: (at) => () => at }, (turn) => told.push(turn));
  const start = Date.parse('2026-01-15T09:30:00Z');
  const user = (newState: 'speaking' | 'listening', at: number) =>
    session.emit(UserStateChanged, {
      type: 'user_state_changed',
      oldState: newState === 'speaking' ? 'listening' : 'speaking',
      newState,
      createdAt: start + at,
    });
  const agent = (at: number, newState: 'speaking' | 'listening' = 'speaking') =>
    session.emit(AgentStateChanged, {
      type: 'agent_state_changed',
      oldState: newState === 'speaking' ? 'thinking' : 'speaking',
      newState,
      createdAt: start + at,
    });
  const transcribed = (at: number) =>
    session.emit(UserInputTranscribed, {
      type: 'user_input_transcribed',
      transcript: 'Hello',
      isFinal: true,
      createdAt: start + at,
      itemId: null,
      speakerId: null,
      language: null,
    });
  const token = (createdAt: number, ttftMs: number) =>
    session.emit(MetricsCollected, {
      type: 'metrics_collected',
      createdAt: 0,
      metrics: { type: 'realtime_model_metrics', timestamp: start + createdAt, ttftMs } as metrics.RealtimeModelMetrics,
    });
  /** The end of a turn that a recognizer has heard. */
  const heard = (at: number) => {
    const measured = {
      type: 'eou_metrics',
      speechId: `s${at}`,
      lastSpeakingTimeMs: start + at,
      transcriptionDelayMs: 0,
    };
    session.emit(MetricsCollected, {
      type: 'metrics_collected',
      createdAt: 0,
      metrics: measured as metrics.EOUMetrics,
    });
  };
  const answered = () =>
    session.emit(ConversationItemAdded, {
      type: 'conversation_item_added',
      createdAt: 0,
      item: llm.ChatMessage.create({ role: 'assistant', content: 'Hi.' }),
    });
  return { told, user, agent, transcribed, token, heard, answered };
}

const realtime = () => ({ llm: new openai.realtime.RealtimeModel({ apiKey: 'k', model: 'gpt-realtime' }) });

test('the latency of each turn with a realtime model is reported, from the moment the model considers the turn over', () => {
  const { told, user, agent, transcribed, token, answered } = startSession(realtime());
  // The greeting is not an answer, and still goes on when the caller begins.
  agent(0);
  token(0, 100);
  answered();
  user('speaking', 1_000);
  user('listening', 2_000);
  token(2_050, 250);
  agent(2_400);
  transcribed(2_500);
  answered();
  // Another answer to the same turn, after a tool.
  agent(4_000);
  answered();
  user('speaking', 5_000);
  user('listening', 5_500);
  // Continues before the agent answers.
  user('speaking', 5_700);
  user('listening', 7_000);
  agent(7_600);
  answered();
  assert.deepEqual(told, [
    {
      turn_index: 0,
      model: 'gpt-realtime',
      end_of_speech_at: '2026-01-15T09:30:02.000Z',
      transcript_ms: 500,
      first_token_ms: 300,
      first_audio_ms: 400,
      interrupted_after_ms: 1_000,
    },
    {
      turn_index: 1,
      model: 'gpt-realtime',
      end_of_speech_at: '2026-01-15T09:30:07.000Z',
      transcript_ms: null,
      first_token_ms: null,
      first_audio_ms: 600,
      interrupted_after_ms: 1_000,
    },
  ]);
});

const overlaps = (told: TurnLatency[]) => told.map(({ interrupted_after_ms }) => interrupted_after_ms);

test('sounds after which the agent has said all it wanted are no interruption', () => {
  const spoken = startSession({});
  const live = startSession(realtime());
  for (const { user, agent } of [spoken, live]) {
    agent(0);
    // Somebody coughs.
    user('speaking', 500);
    user('listening', 900);
    agent(3_000, 'listening');
    user('speaking', 5_000);
    user('listening', 6_000);
  }
  spoken.heard(6_000);
  spoken.agent(7_000);
  live.agent(7_000);
  spoken.answered();
  live.answered();
  assert.deepEqual([overlaps(spoken.told), overlaps(live.told)], [[undefined], [undefined]]);
});

test('an interruption belongs to one turn: not to the one before, nor to one after words that nobody has answered', () => {
  const { told, user, agent, heard, answered } = startSession({});
  heard(0);
  agent(1_000);
  user('speaking', 2_000);
  // The agent is cut off, and what it has said is an answer to the turn before.
  agent(2_400, 'listening');
  answered();
  user('listening', 3_000);
  heard(3_000);
  user('speaking', 8_000);
  user('listening', 9_000);
  heard(9_000);
  agent(9_500);
  answered();
  assert.deepEqual(overlaps(told), [undefined, 1_000, undefined]);
});
