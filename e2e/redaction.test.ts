// Secrets that a caller tells a real worker: no byte of them in the database, the worker's folder, or a log.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, placeCall, reaches } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingParts } from '@switchboard/testkit/lab.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import { findStored } from '../packages/server/test/support/stored-text.ts';
import { textIn } from './support/files.ts';
import { createReader, withRingingPhones } from './support/worker.ts';
import { openWorkerLab } from './support/worker-lab.ts';

const NUMBER = '+14155552000';
/** As they are said, and their bytes. */
const SAID = 'My card is 4242 4242 4242 4242, and my address is zebulon dot smith at example dot com, member M-123456.';
const KEPT = 'My card is [card], and my address is [email], member [member_id].';
const SECRETS = ['4242 4242', '42424242', 'zebulon', 'M-123456'];
/** Also a single group of the card that stands alone: ids and times of a machine may have its digits in them. */
const LEAKED = /(?<![\w.-]|"pid":)4242(?![\w-])|42424242|zebulon|M-123456/;
const PRIVACY = {
  redact: ['card', 'email'],
  custom: [{ name: 'member_id', pattern: String.raw`\bM-\d{6}\b` }],
};

const missing = missingParts() ?? missingVoice();
if (missing) {
  test('redaction', { skip: missing }, () => {});
} else {
  const { voice, lab, database, media: real, startWorker, spoolDir } = await openWorkerLab('lab-redaction');
  const { media, phones } = withRingingPhones(lab, real);
  const env = { PORT: String(lab.webhookPort), CALLING_COUNTRIES: 'US', RECONCILE_INTERVAL_MS: '3600000' };

  test('what a caller says is redacted before it reaches the folder of the worker, its log, and the service', async () => {
    const first = await startService({ media, database, env });
    const worker = await startWorker({ MODEL_BASE_URLS: voice.url, LOG_LEVEL: 'debug' });
    const config = { instructions: 'Be kind.', greeting: 'Welcome.', ...voice.config, privacy: PRIVACY };
    const agent_id = await createAgent(first, { config });
    const { call_id } = await placeCall(first, NUMBER, { agent_id });
    await reaches(first, call_id, 'ANSWERED');
    await createReader(() => first).hears(call_id, [['AGENT', 'Welcome.']]);
    // Without the service, reports stay in the folder.
    await first.close();
    await (phones.get(NUMBER) ?? assert.fail('no phone')).type(SAID);
    const spooled = await eventually(
      () => textIn(spoolDir),
      (text) => text.includes(KEPT),
    );
    assert.doesNotMatch(spooled, LEAKED);
    const service = await startService({ media, database, env });
    const said = await eventually(
      async () => JSON.stringify((await service.request('GET', `/api/sessions/${call_id}/transcripts`)).body),
      (text) => text.includes(KEPT),
    );
    await service.request('POST', `/api/calls/${call_id}/end`);
    await eventually(
      () => worker.calls(),
      (count) => count === 0,
    );
    assert.match(SAID, LEAKED);
    assert.deepEqual(await findStored(database.db, SECRETS), []);
    const logs = [...first.logged(), ...service.logged(), worker.output()].join('\n');
    assert.ok(worker.output().includes('"level":20'), 'the worker logs at the level debug');
    for (const text of [said, logs]) assert.doesNotMatch(text, LEAKED);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    assert.doesNotMatch(metrics, /^redaction_missed_total\{/m, 'the worker has left nothing to the service');
    await service.close();
  });
}
