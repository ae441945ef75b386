import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredBy } from '../src/answered-by.ts';

for (const [words, label] of [
  ["You've reached Miller Dental, this is Anna, how can I help you?", 'human'],
  ['Sorry, we got disconnected.', 'human'],
  ['Allô ? Vous faites un sondage ?', 'human'],
  ['Oui, je suis au top.', 'human'],
  ["You've reached Anna. I can't come to the phone.", 'machine-vm'],
  ['The number you have dialed has been disconnected.', 'machine-unavailable'],
  ['Pour le service commercial, faites le un.', 'machine-ivr'],
  ['Parlez après le top sonore.', 'machine-vm'],
] as const)
  test(`${label}: ${words}`, () => assert.equal(answeredBy(words), label));
