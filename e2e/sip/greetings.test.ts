/** Whom the worker takes generated greetings for that are played at a phone behind the bridge. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import { type Greeting, greetings, RENDITIONS, SPEAKERS } from '../../worker/local/greetings/greetings.ts';
import { soundOf } from '../../worker/local/greetings/sound.ts';
import { recordFigure } from './support/seen.ts';
import { FULL } from './support/setup.ts';
import { openSpeakingLab } from './support/speaking.ts';

/** Renditions in which somebody speaks before the detection takes silence for an answer. */
const SPOKEN = RENDITIONS.slice(0, 3);
/** Longer than any greeting. */
const DECIDED_MS = 60_000;
/** The share of machines that is noticed at least: the recognizer mishears more on a busy machine. */
const MACHINES = 0.4;

type Judged = Pick<Greeting, 'speaker' | 'sentences'> & { answered_by: string };

const missing = missingVoice();
if (missing) {
  test('greetings at a phone', { skip: missing }, () => {});
} else {
  const { service, answeredCall } = await openSpeakingLab();

  /** Each English wording in one rendition; in CI every third. */
  function chosen(): Greeting[] {
    const english = greetings().filter(({ language }) => language === 'en');
    const wordings = [...Map.groupBy(english, ({ sentences }) => sentences.join()).values()];
    const each = wordings.map((renditions, index) => renditions[index % SPOKEN.length] ?? assert.fail());
    return FULL ? each : each.filter((_, index) => index % 3 === 1);
  }

  async function judge(greeting: Greeting): Promise<Judged> {
    const { speaker, sentences } = greeting;
    const sound = await soundOf(greeting);
    const { call_id, handset } = await answeredCall({ voicemail: { action: 'hang_up' }, greeting: 'Hello.' });
    const said = handset.say(sound);
    const { answered_by } = await eventually(
      () => service.detail(call_id),
      ({ answered_by }) => answered_by !== null,
      DECIDED_MS,
    );
    await service.post(`/api/calls/${call_id}/end`);
    await said;
    return { speaker, sentences, answered_by };
  }

  test('no person is taken for a machine, and many machines are noticed', async (t) => {
    const all = chosen();
    const judged: Judged[] = [];
    // One at a time: what somebody says before a worker has begun is not heard.
    for (const greeting of all) judged.push(await judge(greeting));
    for (const { speaker, sentences, answered_by } of judged)
      t.diagnostic(`${speaker}: ${answered_by}: ${sentences.join(' ')}`);
    for (const speaker of SPEAKERS) {
      const counts = Map.groupBy(
        judged.filter((one) => one.speaker === speaker),
        (one) => one.answered_by,
      );
      const told = [...counts].map(([answered_by, { length }]) => `\`${answered_by}\` ${length}`).join(', ');
      recordFigure(`generated greetings of \`${speaker}\`, taken for`, told);
    }
    const machines = judged.filter(({ speaker }) => speaker !== 'human');
    const noticed = machines.filter(({ answered_by }) => answered_by !== 'human' && answered_by !== 'unknown');
    // A greeting of one word may not be recognized.
    assert.deepEqual(
      judged.filter(({ speaker, answered_by }) => speaker === 'human' && !/^(human|unknown)$/.test(answered_by)),
      [],
    );
    assert.ok(noticed.length >= MACHINES * machines.length, `${noticed.length} of ${machines.length} machines`);
  });
}
