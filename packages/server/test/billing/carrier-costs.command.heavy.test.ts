import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { NODE, startProgram } from '@switchboard/testkit/program.ts';
import { twilioCall } from '@switchboard/testkit/twilio-calls.ts';
import { startTwilioStandIn } from '@switchboard/testkit/twilio-stand-in.ts';
import { sql } from 'kysely';
import { insertUsageEvents } from '../../src/ledger/usage/store.ts';
import { newId, timeIds } from '../../src/lib/ids.ts';
import { makeCommandDatabase } from '../support/command-database.ts';

const script = path.resolve(import.meta.dirname, '../../scripts/carrier-costs.ts');
const twilio = await startTwilioStandIn({ phone_numbers: [] });
const { where, inDatabase } = await makeCommandDatabase();
const { accountSid, authToken, trunkSid } = twilio.account;
const account = {
  TWILIO_ACCOUNT_SID: accountSid,
  TWILIO_AUTH_TOKEN: authToken,
  TWILIO_TRUNK_SID: trunkSid,
  TWILIO_BASE_URL: twilio.url,
};

/** Runs the command as `npm run carrier-costs -- …` does. */
async function run(args: string[], env: Record<string, string> = account) {
  const program = startProgram([...NODE, script, ...args], {
    env: { PATH: process.env.PATH, ...where, ...env },
  });
  const code = await program.exit;
  return { code, output: program.output() };
}

test('--help explains the command; a mistake is printed before it, without a stack trace', async () => {
  const { code, output } = await run(['--help']);
  assert.equal(code, 0);
  for (const part of ['import MONTH', 'import START [END]', '/api/costs/carrier-import'])
    assert.ok(output.includes(part));
  for (const [args, says, env] of [
    [[], /^Which command\?/],
    [['export'], /^There is no command "export"\./],
    [['import'], /^import needs a month or a day\./],
    [['import', '2026-13'], /^"2026-13-01" must be a day/],
    [['import', '2026-02-30'], /^"2026-02-30" must be a day/],
    [['import', '2026-02-02', '2026-02-01'], /^START must not be after END\./],
    [['import', '2026-02'], /^Set TWILIO_ACCOUNT_SID/, {}],
  ] as [string[], RegExp, Record<string, string>?][]) {
    const mistake = await run(args, env);
    assert.match(mistake.output, says);
    assert.ok(!/^ {4}at /m.test(mistake.output), mistake.output);
    assert.equal(mistake.code, 1);
  }
});

test('a month is imported day by day, with its differences; a carrier that fails ends it with 1', async () => {
  const [started_at, ended_at] = [new Date('2026-01-12T10:00:00Z'), new Date('2026-01-12T10:01:00Z')];
  timeIds(() => ended_at.getTime());
  const id = newId();
  const to = '+442079460000';
  await inDatabase(async (db) => {
    await sql`
      insert into sessions (id, room_name, user_id, status, session_data, call_direction, call_status,
        outbound_phone_number, started_at, ended_at, duration, created_at, updated_at)
      values (${id}, 'room', 'user', 'COMPLETED', '{}', 'OUTBOUND', 'COMPLETED', ${to},
        ${started_at}, ${ended_at}, 60, ${started_at}, ${ended_at})`.execute(db);
    await insertUsageEvents(db, [
      {
        id: newId(),
        session_id: id,
        user_id: 'user',
        provider: 'twilio',
        event_type: 'telephony_minutes',
        model: '44',
        direction: 'OUTBOUND',
        quantity: '1',
        unit_cost: '0.02',
        created_at: ended_at,
      },
    ]);
  });
  const call = twilioCall({ to, from: '+15005550010', started_at, ended_at });
  const other = twilioCall({ to: '+442079460999', from: '+15005550010', started_at, ended_at, price: null });
  twilio.setUp({ calls: [call, other] });
  const { code, output } = await run(['import', '2026-01']);
  assert.equal(code, 0, output);
  const lines = output.trimEnd().split('\n');
  assert.equal(lines.filter((line) => /^2026-01-\d\d: /.test(line)).length, 31);
  const from = lines.indexOf('2026-01-12: 2 records, 1 imported; booked 0.02, billed 0.013 USD');
  assert.deepEqual(lines.slice(from + 1, from + 6), [
    `  ${id} ${call.sid}: 0.02 -> 0.013 (-0.007)`,
    '  difference -0.007',
    '  1 records are not billed yet: import the day again later',
    '  1 records of calls that are not in the ledger, 0:',
    `    ${other.sid} 2026-01-12T10:00:00.000Z 60 s not billed yet`,
  ]);
  assert.match((await run(['import', '2026-01-12'])).output, /: 2 records, 0 imported;/);
  twilio.disturb({ answer: { status: 500, body: { code: 20500, message: 'Internal Server Error' } } });
  const failed = await run(['import', '2026-01-12', '2026-01-13']);
  assert.equal(failed.code, 1);
  assert.match(failed.output, /import again later\.\n$/);
});
