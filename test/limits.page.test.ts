import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { maxHeaderSize } from 'node:http';
import path from 'node:path';
import { test } from 'node:test';
import { MAX_AGENTS, MAX_LIST_BYTES } from '../src/agents/agents.ts';
import { MAX_OVERLAPPING } from '../src/callbacks/secrets.ts';
import { UNBEGUN_AFTER_MS } from '../src/calls/reconcile.ts';
import { SETTINGS } from '../src/config.ts';
import { PAGE_BYTES } from '../src/db/page-budget.ts';
import { MAX_BODIES_BYTES, MAX_BODIES_BYTES_PER_ADDRESS } from '../src/http/body-reader.ts';
import { LINGER_MS, MAX_HEAVY, MAX_UNDER_WAY, MAX_UNSENT_BYTES } from '../src/http/connections.ts';
import { MAX_STREAMS_PER_KEY } from '../src/http/event-stream.ts';
import { BODY_LIMITS, MAX_BODY_BYTES, SMALL_BODY } from '../src/http/json-body.ts';
import { MAX_LIMIT } from '../src/http/paging.ts';
import { MAX_GUESSES } from '../src/http/rate-limit.ts';
import { MAX_OBJECT_BYTES } from '../src/http/validation.ts';
import { TRUSTED_MS } from '../src/keys/recent.ts';
import { MAX_DEPTH } from '../src/lib/json.ts';
import { MAX_SESSION_DATA_BYTES } from '../src/sessions/update.ts';
import { MAX_BATCH } from '../src/usage/schema.ts';

/** The bounds without a variable of their own: what the page calls them, and the constant that the code uses. */
const CONSTANTS: Record<string, string> = {
  'Event streams of one key that names no user, in open mode of one address': count(MAX_STREAMS_PER_KEY),
  'Requests under way on one connection': count(MAX_UNDER_WAY),
  'Answers that wait to be read, of all connections': bytes(MAX_UNSENT_BYTES),
  'Time for the rest of a body after a refusal that closes the connection': seconds(LINGER_MS),
  'Large bodies (above 16 KiB) that arrive or wait to be parsed, of all requests': bytes(MAX_BODIES_BYTES),
  'Large bodies that arrive or wait to be parsed, from one address': bytes(MAX_BODIES_BYTES_PER_ADDRESS),
  'Requests with large bodies, or bodies of unknown length, under way, and connections whose further requests are not read yet':
    count(MAX_HEAVY),
  'Request headers': bytes(maxHeaderSize),
  'Request body': bytes(MAX_BODY_BYTES),
  'Request body of operations with a few short fields': bytes(SMALL_BODY),
  'Fields in a request body, all levels': count(BODY_LIMITS.fields),
  'Levels in a request body before it is parsed': count(BODY_LIMITS.depth),
  'Invalid tokens a minute from one address': count(MAX_GUESSES),
  'One object (`config`, `metadata`)': bytes(MAX_OBJECT_BYTES),
  'Levels of one object': count(MAX_DEPTH),
  'Usage events in one batch': count(MAX_BATCH),
  'Earlier callback secrets that still sign': count(MAX_OVERLAPPING),
  '`session_data` of one session': bytes(MAX_SESSION_DATA_BYTES),
  'Agents of one user': count(MAX_AGENTS),
  "Names, descriptions and configurations of one user's agents": bytes(MAX_LIST_BYTES),
  'Items of one page (`limit`)': count(MAX_LIMIT),
  '`session_data`, or transcripts, of one page': bytes(PAGE_BYTES),
  'Time that an accepted key or token is not looked at again: one that another process has revoked is accepted so long':
    seconds(TRUSTED_MS),
  'Age of an open conversation whose room nobody has seen': seconds(UNBEGUN_AFTER_MS),
};

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function bytes(value: number): string {
  const mebibyte = 1024 * 1024;
  return value % mebibyte === 0 ? `${count(value / mebibyte)} MiB` : `${count(value / 1024)} KiB`;
}

function seconds(ms: number): string {
  return `${count(ms / 1000)} s`;
}

/** The default of a variable, in the unit that its name ends with. */
function defaultOf(variable: string): string {
  const setting = SETTINGS.properties[variable as keyof typeof SETTINGS.properties] as { default?: unknown };
  assert.equal(typeof setting?.default, 'number', `${variable} is a setting with a number as its default`);
  const value = Number(setting.default);
  if (variable.endsWith('_MS')) return seconds(value);
  if (variable.endsWith('_S')) return seconds(value * 1000);
  return variable.endsWith('_BYTES') ? bytes(value) : count(value);
}

const page = path.resolve(import.meta.dirname, '../docs/limits.md');
const rows = readFileSync(page, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (Bound|---) /.test(line))
  .map((line) => line.split('|').slice(1, -1))
  .map((cells) => cells.map((cell) => cell.trim()));

test('every bound on the page has the value that the code has', () => {
  assert.ok(rows.length > 0);
  for (const [bound = '', value, variable = ''] of rows)
    assert.equal(value, variable ? defaultOf(variable.replaceAll('`', '')) : CONSTANTS[bound], bound);
});

test('every bound of the code is on the page once', () => {
  const onPage = rows.filter(([, , variable]) => !variable).map(([bound]) => bound);
  assert.deepEqual(onPage.sort(), Object.keys(CONSTANTS).sort());
});

test('every bound on the page names the test that reaches it', () => {
  for (const [bound, , , beyond, link = ''] of rows) {
    assert.ok(beyond, bound);
    const [, title = '', file = ''] = /^\[(.+)\]\((.+)\)$/.exec(link) ?? [];
    const source = path.resolve(path.dirname(page), file);
    assert.ok(existsSync(source), `${bound}: ${source}`);
    const text = readFileSync(source, 'utf8');
    assert.ok(
      ["'", '`'].some((quote) => text.includes(`test(${quote}${title}${quote}`)),
      `${bound}: ${title}`,
    );
  }
});
