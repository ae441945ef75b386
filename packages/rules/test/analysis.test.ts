import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Parameter, reply, type Tool } from '../src/reply.ts';

const properties = { outcome: { type: 'string', enum: ['opens on Sundays', 'parking'] }, guests: { type: 'integer' } };
const values: Parameter & { properties: object } = { type: 'object', properties };
const tool: Tool = { name: 'save_analysis', parameters: { properties: { values } } };

function ask(transcript: string) {
  const content = `The call: {"direction":"WEB"}\n\nIts transcript:\n${transcript}`;
  return reply([{ role: 'user', content }], [tool], { mustCall: true }).call?.arguments;
}

test('the lines of a transcript are read by the fields of the tool, and named by their numbers', () => {
  const said = ask(
    '1. USER: "Hello.\\nWhen do you open on Sunday?"\n2. AGENT: "The library opens at ten on Sundays."\n3. USER: "Goodbye, thank you."',
  );
  assert.deepEqual(said?.values, { outcome: 'opens on Sundays', guests: null });
  assert.deepEqual([said?.lines, said?.success], [{ outcome: [2] }, true]);
});

test('a field that nobody has spoken about names no line, and nothing is said about success', () => {
  const said = ask('1. AGENT: "Welcome."');
  assert.deepEqual([said?.values, said?.lines], [{ outcome: null, guests: null }, {}]);
  assert.ok(said && !('success' in said));
});
