import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaveOutWords } from '../conversation/logged-words.ts';

const LINES = `{"level":30,"lk.pii.message":"We open, \\"at ten\\".","lk.pii.words":["a"],"msg":"said"}\n{"msg":"plain"}\nnot JSON\n{"lk.pii.message":"cut\n`;

function written(level: string): string {
  let text = '';
  const output = {
    write: (chunk: string) => {
      text += chunk;
      return true;
    },
  };
  leaveOutWords(output as never, level);
  output.write(LINES);
  return text;
}

test('the log has no words of a call, unless it is to say everything', () => {
  assert.equal(written('info'), '{"level":30,"msg":"said"}\n{"msg":"plain"}\nnot JSON\n\n');
  assert.equal(written('debug'), LINES);
});
