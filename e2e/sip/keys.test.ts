/** Keys of the telephone over the bridge, both ways, as events (RFC 4733). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, suite, test } from 'node:test';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { ended } from './support/checks.ts';
import { FULL } from './support/setup.ts';
import { openSpeakingLab, type SpokenCall } from './support/speaking.ts';

const TRIES = FULL ? 5 : 1;
const ALL = '0123456789*#ABCD';
/** Longer than the bridge takes for a key: no other one follows. */
const AFTER_MS = 1_000;
/** Digits that are entered: the second ones are in nothing else. */
const [KNOWN, SECRET] = ['904417', '7305629418'];
const QUESTION = 'Please take my account number.';

const missing = missingVoice();
if (missing) {
  test('keys of the telephone', { skip: missing }, () => {});
} else {
  const asked: Json[] = [];
  const customer = await serveHttp(async (request, response) => {
    asked.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
    response.end('Ten euros.');
  });
  after(customer.close);
  const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
  const setup = await openSpeakingLab({}, { FUNCTIONS_SECRET: secret, FUNCTIONS_ALLOW_PRIVATE: 'true' });
  const { service, voice, worker, spoolDir, databaseUrl, answeredCall } = setup;

  async function finish(call: SpokenCall, scenario: string): Promise<void> {
    await service.post(`/api/calls/${call.call_id}/end`);
    const expected = { call_status: 'COMPLETED', end_reason: 'ended_by_user', phone: ['INVITE', 'BYE'] } as const;
    await ended(setup, call, { group: 'keys', scenario, ...expected, phone: [...expected.phone] });
  }

  const press = async ({ call_id }: SpokenCall, digits: string) => {
    const { status, body } = await service.post(`/api/calls/${call_id}/dtmf`, { digits });
    assert.equal(status, 200, JSON.stringify(body));
  };

  function scenario(name: string, run: (name: string) => Promise<unknown>): void {
    test(name, async () => {
      for (let round = 0; round < TRIES; round++) await run(name);
    });
  }

  suite('keys', { concurrency: 1 }, () => {
    scenario('those that the API presses arrive at the phone once and in order', async (name) => {
      const call = await answeredCall({ greeting: 'Welcome.' });
      await call.said('Welcome.');
      for (const digits of [ALL, '1123', '*']) await press(call, digits);
      await eventually(
        async () => call.handset.keys(),
        ({ length }) => length >= `${ALL}1123*`.length,
      );
      await systemClock.sleep(AFTER_MS);
      assert.equal(call.handset.keys(), `${ALL}1123*`);
      await finish(call, name);
    });

    for (const sensitive of [false, true]) {
      const about = sensitive
        ? 'sensitive ones reach the function of the customer alone'
        : 'those of the phone reach the agent';
      scenario(about, async (name) => {
        const entered = sensitive ? SECRET : KNOWN;
        const entry = { name: 'account_number', description: 'the account number', max: entered.length, sensitive };
        const balance = {
          name: 'account_balance',
          description: 'Tells the balance of an account.',
          url: `${customer.url}/balance`,
          body: '{"account": {{account_number}}}',
        };
        const call = await answeredCall({
          greeting: 'Welcome.',
          tools: { collect_digits: [entry], functions: [balance] },
        });
        const { handset } = call;
        await call.said('Welcome.');
        await handset.say(await voice.speak(QUESTION));
        await call.lines(2);
        // The worker takes keys once the model has called the tool.
        await systemClock.sleep(AFTER_MS);
        await handset.press(entered);
        await call.said(sensitive ? 'The caller has pressed 10 keys, which only functions may know.' : entered);
        const before = asked.length;
        await handset.say(await voice.speak('What is the balance of the account?'));
        await call.said('Ten euros.');
        assert.deepEqual(asked.slice(before), [{ account: entered }]);
        await finish(call, name);
        if (sensitive) await assertUnknown(SECRET);
      });
    }
  });

  /** Nothing of ours has it: neither the database nor what worker, spool and service have written. */
  async function assertUnknown(secret: string): Promise<void> {
    const [dump = 'pg_dump'] = globSync('/usr/lib/postgresql/*/bin/pg_dump').sort().reverse();
    const { stdout } = spawnSync(dump, ['--data-only', databaseUrl], { maxBuffer: 1 << 30 });
    const written: Record<string, string> = {
      database: stdout.toString(),
      worker: worker.output(),
      service: service.output(),
    };
    assert.ok(written.database?.includes(QUESTION), 'the database was searched');
    for (const name of await readdir(spoolDir, { recursive: true }))
      written[name] = await readFile(path.join(spoolDir, name), 'latin1').catch(() => '');
    const found = Object.entries(written).filter(([, text]) => text.includes(secret));
    assert.deepEqual(found, []);
  }
}
