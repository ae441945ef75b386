import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { type AgentDraft, createSwitchboard, SwitchboardError } from '../src/index.ts';

const service = await startService();
const sb = createSwitchboard({ baseUrl: service.url, userId: 'user-1' });
const create = () => sb.agents.create({ name: 'Desk', description: 'At the door', config: { instructions: 'One' } });
const add = (text: string) => (draft: AgentDraft) => ({
  config: { ...draft.config, instructions: `${draft.config.instructions} ${text}` },
});

test('a draft is read, changed and saved in one call; what the change does not name stays', async () => {
  const { id } = await create();
  const saved = await sb.drafts.change(id, add('two'));
  const { name, description, config, has_changes } = saved;
  assert.deepEqual(
    [name, description, config, has_changes],
    ['Desk', 'At the door', { instructions: 'One two' }, true],
  );
  assert.deepEqual(await sb.drafts.get(id), saved);
});

test('changes of several editors at a time are all kept', async () => {
  const { id } = await create();
  await Promise.all([sb.drafts.change(id, add('two')), sb.drafts.change(id, add('three'))]);
  const { instructions } = (await sb.drafts.get(id)).config;
  assert.deepEqual(String(instructions).split(' ').sort(), ['One', 'three', 'two']);
});

test('a change that is overtaken each time is given up after five attempts; one that throws saves nothing', async () => {
  const { id } = await create();
  let attempts = 0;
  const overtaken = sb.drafts.change(id, async (draft) => {
    attempts++;
    await sb.drafts.put(id, { name: `Desk ${attempts}`, config: draft.config });
    return add('two')(draft);
  });
  await assert.rejects(overtaken, (error) => error instanceof SwitchboardError && error.code === 'changed_meanwhile');
  assert.equal(attempts, 5);
  const failing = sb.drafts.change(id, () => {
    throw new Error('no idea');
  });
  await assert.rejects(failing, /no idea/);
  const { name, config } = await sb.drafts.get(id);
  assert.deepEqual([name, config], ['Desk 5', { instructions: 'One' }]);
});
