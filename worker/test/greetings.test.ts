// 500 generated greetings, and whom the worker takes them for: the figures of docs/telephony.md.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { initializeLogger } from '@livekit/agents';
import { decideAll } from '../local/greetings/decide.ts';
import { greetings, RENDITIONS } from '../local/greetings/greetings.ts';
import { heardInSound, heardInText } from '../local/greetings/heard.ts';
import { PAGE, placed, textFigures } from '../local/greetings/measure.ts';
import { missingFestival } from '../local/voice.ts';

initializeLogger({ pretty: false, level: 'error' });

test('the page has the figures of all greetings', async () => {
  assert.equal(greetings().length, 500);
  const page = readFileSync(PAGE, 'utf8');
  assert.equal(placed(page, 'greetings', await textFigures()), page, 'run npm run greetings -- --text');
});

test('silences and the tone at the end change nothing about the sound of a machine', {
  skip: missingFestival() ?? false,
}, async () => {
  const said = greetings().find(({ speaker, language }) => speaker === 'voicemail' && language === 'en');
  assert.ok(said);
  const text = said.sentences.at(-1) ?? '';
  // Words that were recognized rightly, and none in a tone.
  const words = { recognize: async (wav: Uint8Array) => (wav.length > 48_000 * 1.2 ? text : '') };
  const heard = [];
  for (const { tone, speed } of RENDITIONS.slice(1, 3)) {
    const before_ms = 600;
    heard.push(await heardInSound({ ...said, tone, speed, before_ms, pause_ms: 600, sentences: [text] }, words));
  }
  const inText = heardInText({ ...said, sentences: [text] });
  const [expected, ...answers] = await decideAll([inText, ...heard]);
  assert.deepEqual(answers, [expected, expected]);
  for (const [index, { speed }] of RENDITIONS.slice(1, 3).entries()) {
    const begins = heard[index]?.find(({ what }) => what === 'begins')?.at_ms ?? Number.NaN;
    assert.ok(begins >= 500 && begins < 1_000, `${speed}: ${begins}`);
  }
});
