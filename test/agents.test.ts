import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from './support/service.ts';

const service = await startService();
const user = 'user-1';

async function createAgent(fields: object = {}) {
  const { status, body } = await service.request('POST', '/api/agents/', {
    body: { name: 'Front desk', user_id: user, ...fields },
  });
  assert.equal(status, 201);
  return body;
}

test('a created agent has every field, null where there is no value', async () => {
  const agent = await createAgent();
  assert.deepEqual(
    { ...agent, id: '', created_at: '', updated_at: '' },
    {
      ...{
        id: '',
        name: 'Front desk',
        type: 'PIPELINE',
        is_active: true,
        user_id: user,
        created_at: '',
        updated_at: '',
      },
      ...{ description: null, config: {}, phone_number: null, carrier_sid: null },
    },
  );
  assert.match(agent.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});
