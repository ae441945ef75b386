// Records of the tools of a call: what they were asked, and what they answered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { llm } from '@livekit/agents';
import { readConfig } from '../conversation/config.ts';
import { reporting, type ToolRun, toolReport } from '../conversation/tool-reports.ts';
import { createTools } from '../conversation/tools.ts';

const same = (text: string) => text;
const run = (result: ToolRun['result'], args: object = {}): ToolRun => ({
  name: 'look_up',
  called_at: '2026-01-15T09:30:00.000Z',
  arguments: args,
  result,
});

/** A tool that is told, and what is told of it. */
function told(execute: (args: object) => Promise<unknown>) {
  const runs: ToolRun[] = [];
  const tool = llm.tool({
    name: 'look_up',
    description: 'Looks up.',
    parameters: { type: 'object', properties: {} },
    execute,
  });
  const [same] = reporting([tool], (one) => runs.push(one));
  assert.ok(llm.isFunctionTool(same));
  const call = (args: object, abortSignal?: AbortSignal) =>
    same.execute(args as never, { abortSignal } as unknown as Parameters<typeof same.execute>[1]);
  return { runs, call };
}

test('a tool answers as it did, and what it was asked and has answered is told', async () => {
  const { runs, call } = told(async (args) => ({ found: args }));
  assert.deepEqual(await call({ id: 7 }), { found: { id: 7 } });
  const [one = assert.fail(), ...others] = runs;
  assert.deepEqual(
    [one.name, one.arguments, one.result, others],
    ['look_up', { id: 7 }, { value: { found: { id: 7 } } }, []],
  );
  assert.ok(Math.abs(Date.parse(one.called_at) - Date.now()) < 60_000);
});

test('a tool that fails, fails as it did, and one that was given up has no result', async () => {
  const { runs, call } = told(async () => {
    throw new llm.ToolError('look_up failed: status 500');
  });
  await assert.rejects(call({}), /status 500/);
  await assert.rejects(call({}, AbortSignal.abort()), /status 500/);
  assert.deepEqual(
    runs.map(({ result }) => result),
    [{ error: 'look_up failed: status 500' }, undefined],
  );
});

test('a report has JSON as the model gets it, without secrets, and fits the API', () => {
  const redact = (text: string) => text.replaceAll('4242', '[card]');
  const report = toolReport(run({ value: { card: 4242, text: 'a\0b\ud800' } }, { '4242': 'no 4242', n: 4242 }), redact);
  assert.deepEqual(report.arguments, { '[card]': 'no [card]', n: '[card]' });
  assert.deepEqual([report.result, report.is_error], ['{"card":"[card]","text":"ab\ufffd"}', false]);
  assert.deepEqual(
    [undefined, { value: undefined }, { value: 'ten' }, { error: '4242 is wrong' }].map((result) => {
      const { result: text, is_error } = toolReport(run(result), redact);
      return [text, is_error];
    }),
    [
      [null, false],
      ['null', false],
      ['"ten"', false],
      ['[card] is wrong', true],
    ],
  );
  const long = toolReport(run({ value: 'x'.repeat(70_000) }, { text: 'x'.repeat(8_000) }), same);
  assert.deepEqual([long.result?.length, long.arguments], [8_000, {}]);
});

test('tools of a call are told if somebody takes it, unless the agent says otherwise', async () => {
  const deps = { hangUp: () => {}, mute: () => () => {}, hasPhone: true, api: {}, room: {}, call: { variables: {} } };
  const runs: ToolRun[] = [];
  const [hangUp] = createTools({ hang_up: true }, { ...deps, ran: (one: ToolRun) => runs.push(one) } as never);
  assert.ok(hangUp && llm.isFunctionTool(hangUp));
  await hangUp.execute({} as never, { ctx: { waitForPlayout: async () => {} } } as never);
  assert.deepEqual(
    runs.map(({ name, result }) => [name, result]),
    [['hang_up', { value: undefined }]],
  );
  const records = (privacy: object) => readConfig({ config: { privacy }, variables: {} }).recordsTools;
  assert.deepEqual([records({}), records({ tool_calls: true }), records({ tool_calls: false })], [true, true, false]);
  assert.throws(() => records({ tool_calls: 'no' }), /privacy\.tool_calls/);
});
