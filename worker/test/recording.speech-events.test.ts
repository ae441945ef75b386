// Events of a session that tell a recording which redacts what the agent says.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { voice } from '@livekit/agents';
import { followSpeech } from '../recording/speech-events.ts';

test('only a speech that is given up before its first word has sound without a line', () => {
  const audio = new EventEmitter();
  const session = Object.assign(new EventEmitter(), { output: { audio } });
  const clearance = followSpeech(session as never);
  session.emit(voice.AgentSessionEventTypes.AgentStateChanged, { newState: 'thinking' });
  audio.emit('playbackFinished', { interrupted: false, synchronizedTranscript: '' });
  audio.emit('playbackFinished', { interrupted: true, synchronizedTranscript: 'My card' });
  assert.deepEqual(clearance.silenced(), []);
  audio.emit('playbackFinished', { interrupted: true, synchronizedTranscript: '' });
  const [silenced, ...others] = clearance.silenced();
  assert.deepEqual([silenced?.side, others], ['agent', []]);
  assert.ok((silenced?.to_ms ?? 0) > performance.now());
});
