import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { NODE, startProgram } from '@switchboard/testkit/program.ts';
import { verifyRollups } from '@switchboard/testkit/rollups.ts';
import { sql } from 'kysely';
import { lockDirectory } from '../../src/db/lock.ts';
import { insertUsageEvents } from '../../src/ledger/usage/store.ts';
import { newId } from '../../src/lib/ids.ts';
import { makeCommandDatabase } from '../support/command-database.ts';
import { readCsv } from '../support/csv.ts';

const script = path.resolve(import.meta.dirname, '../../scripts/prices.ts');
const { directory, where, inDatabase } = await makeCommandDatabase();

/** Starts the command as `npm run prices -- …` does. */
const start = (...args: string[]) =>
  startProgram([...NODE, script, ...args], { env: { PATH: process.env.PATH, ...where } });

async function run(...args: string[]) {
  const program = start(...args);
  const code = await program.exit;
  return { code, output: program.output() };
}

async function file(name: string, text: string | Buffer): Promise<string> {
  const name_ = path.join(directory, name);
  await writeFile(name_, text);
  return name_;
}

test('--help explains the commands; a mistake is printed before them, without a stack trace', async () => {
  const { code, output } = await run('--help');
  assert.equal(code, 0);
  for (const part of ['import FILE', 'export', 'apply [START', '/api/prices']) assert.ok(output.includes(part), part);
  for (const [args, says] of [
    [[], /^Which command\?/],
    [['list'], /^There is no command "list"\./],
    [['import'], /^import needs a file\./],
    [['apply', '2026-13-01'], /^"2026-13-01" must be a day/],
    [['apply', '2026-02-29'], /^"2026-02-29" must be a day/],
    [['apply', '2026-01-01', '2026-01-02', '2026-01-03'], /^apply does not take "2026-01-03" as well\./],
    [['import', 'one.csv', 'two.csv'], /^import does not take "two\.csv" as well\./],
    [['export', 'prices.csv'], /^export does not take "prices\.csv" as well\./],
    [['apply', '2026-02-01', '2026-01-01'], /^START must not be after END\./],
    [['import', path.join(directory, 'nothing.csv')], /^There is no file .*nothing\.csv\.\n$/],
  ] as [string[], RegExp][]) {
    const mistake = await run(...args);
    assert.match(mistake.output, says);
    assert.ok(!/^ {4}at /m.test(mistake.output), mistake.output);
    assert.equal(mistake.code, 1);
  }
});

test('a file with mistakes is refused with all of them, by line or entry', async () => {
  const csv = await run(
    'import',
    await file('wrong.csv', 'provider,event_type,price,valid_from\na,llm_tokens,x,2026-01-01\na,calls,-1,2026-01-32\n'),
  );
  assert.equal(csv.code, 1);
  assert.deepEqual(
    csv.output.split('\n').map((line) => line.split(': ')[0]),
    ['Nothing was recorded:', 'line 2, price', 'line 3, event_type', 'line 3, valid_from', 'line 3, price', ''],
  );
  const json = await run(
    'import',
    await file(
      'wrong.json',
      JSON.stringify([{ provider: 'a' }, { provider: 'a', event_type: 'llm_tokens', price: 1 }]),
    ),
  );
  assert.deepEqual(
    json.output.split('\n').map((line) => line.split(': ')[0]),
    [
      'Nothing was recorded:',
      'entry 1, event_type',
      'entry 1, valid_from',
      'entry 2, valid_from',
      'entry 1, price',
      '',
    ],
  );
  const many = `provider,event_type,price,valid_from\n${'a,calls,x,2026-01-32\n'.repeat(200)}`;
  const { output } = await run('import', await file('many.csv', many));
  const mistakesOf = (field: string) => output.split('\n').filter((line) => line.includes(`, ${field}: Input`)).length;
  assert.deepEqual(['event_type', 'price'].map(mistakesOf), [200, 200]);
  assert.match((await run('import', await file('cut.json', '{"entries":['))).output, /character 12: /);
});

test('a file that is not in UTF-8 is refused, and no name is recorded with other letters', async () => {
  const text = 'provider,event_type,price,valid_from\ncafé,llm_tokens,1,2026-01-01\n';
  for (const encoding of ['latin1', 'utf16le'] as const) {
    const bytes = Buffer.concat([
      Buffer.from(encoding === 'latin1' ? '' : '\ufeff', encoding),
      Buffer.from(text, encoding),
    ]);
    const { code, output } = await run('import', await file(`${encoding}.csv`, bytes));
    assert.deepEqual(
      [code, output.slice(0, 56)],
      [1, 'Nothing was recorded:\nThe file should be in UTF-8 (Excel'],
      output,
    );
  }
});

test('an exported file, CSV or JSON, is the book that was imported', async () => {
  const prices = 'openai,llm_tokens,0.000000123456789012,2026-01-01\nopenai,tts_characters,0.000015,2026-01-01\n';
  const csv = await file('prices.csv', `provider,event_type,price,valid_from\n${prices}`);
  assert.deepEqual(await run('import', csv), { code: 0, output: '2 added, 0 replaced, 0 in the book already\n' });
  const exported = await run('export');
  assert.deepEqual(
    readCsv(exported.output).map(({ event_type, price }) => [event_type, price]),
    [
      ['llm_tokens', '0.000000123456789012'],
      ['tts_characters', '0.000015'],
    ],
  );
  const again = { code: 0, output: '0 added, 0 replaced, 2 in the book already\n' };
  assert.deepEqual(await run('import', await file('exported.csv', exported.output)), again);
  const dearer = await file('dearer.csv', 'provider,event_type,price,valid_from\nopenai,tts_characters,1,2026-01-01\n');
  assert.equal((await run('import', dearer)).output, '0 added, 1 replaced, 0 in the book already\n');
  const history = readCsv((await run('export', '--history')).output).map(({ price }) => price);
  assert.deepEqual(history.sort(), ['0.000000123456789012', '0.000015', '1']);
  assert.equal(readCsv((await run('export')).output).length, 2);
  assert.equal((await run('import', csv)).output, '0 added, 1 replaced, 1 in the book already\n');
  const { output } = await run('export', '--json');
  assert.equal(JSON.parse(output).entries[0].price, '0.000000123456789012');
  assert.deepEqual(await run('import', await file('exported.json', output)), again);
});

test('a command that is killed while it prices has priced each event once when it is run again', async () => {
  await inDatabase(async (db) => {
    for (let batch = 0; batch < 16; batch++)
      await insertUsageEvents(
        db,
        Array.from({ length: 1000 }, (_, index) => ({
          id: newId(),
          session_id: `s-${batch}`,
          user_id: `user-${index % 7}`,
          agent_id: 'a',
          provider: 'openai',
          event_type: 'llm_tokens',
          quantity: '1000',
          created_at: new Date(),
        })),
      );
  });
  for (const round of [1, 2]) {
    const program = start('apply');
    await program.until((output) => output.includes('events priced'));
    assert.equal(await program.end('SIGKILL'), 'SIGKILL', `round ${round}: ${program.output()}`);
  }
  const { code, output } = await run('apply');
  assert.equal(code, 0, output);
  const [, left = ''] = /^(\d+) priced, 0 without a price in the book$/m.exec(output) ?? [];
  assert.ok(Number(left) > 0 && Number(left) < 16_000, output);
  assert.match((await run('apply')).output, /^0 priced, 0 without/);
  const { rows } = await inDatabase((db) =>
    sql<Record<string, string>>`
      select count(*)::text as entries, count(distinct adjusts)::text as events, trim_scale(sum(total_cost))::text as total
      from usage_events where is_pricing`.execute(db),
  );
  assert.deepEqual(rows, [{ entries: '16000', events: '16000', total: '1.975308624192' }]);
  verifyRollups(where);
});

test('events without a price in the book are named', async () => {
  await inDatabase((db) =>
    insertUsageEvents(db, [
      {
        id: newId(),
        session_id: 's',
        user_id: 'u',
        provider: 'twilio',
        event_type: 'telephony_minutes',
        quantity: '1',
        model: '4420',
        direction: 'OUTBOUND',
        created_at: new Date(),
      },
    ]),
  );
  const { output } = await run('apply');
  assert.equal(
    output,
    '0 priced, 1 without a price in the book\n  no price for twilio telephony_minutes 4420 OUTBOUND: 1 events\n',
  );
});

if (where.DATA_DIR)
  test('while a service holds the embedded database the command points to the API', async () => {
    const unlock = lockDirectory(where.DATA_DIR ?? '');
    const { code, output } = await run('export');
    unlock();
    assert.equal(code, 1);
    assert.match(output, new RegExp(`in use by process ${process.pid}\\..*\\n.*/api/prices`));
  });
