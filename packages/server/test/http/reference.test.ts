import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import { registerReference } from '../../src/http/reference.ts';

test('the API description is serialized once, however many ask for it', async () => {
  const app = fastify();
  let made = 0;
  app.decorate('swagger', () => `description ${++made}`);
  registerReference(app);
  const answers = await Promise.all(Array.from({ length: 3 }, () => app.inject('/openapi.json')));
  assert.deepEqual(
    answers.map((answer) => answer.json()),
    Array(3).fill('description 1'),
  );
});
