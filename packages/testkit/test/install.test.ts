import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { MEDIA_SERVER_MODULE } from '../media-server.ts';

const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, '../../..', file), 'utf8');

test('the guide installs what CI installs: the media server, under the name that Go gives it, and the voice', () => {
  const [guide, ci] = [read('docs/talk.md'), read('.ci/run')];
  for (const text of [guide, ci]) {
    assert.ok(text.includes(`go install ${MEDIA_SERVER_MODULE}`));
    assert.match(text, /export LIVEKIT_SERVER_BIN="\$\w+\/server"/);
    assert.match(text, /(--no-install-recommends |wanted\+=\()festival festvox-us-slt-hts/);
  }
});
