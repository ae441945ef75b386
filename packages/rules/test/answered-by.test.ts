import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredBy, isHold, speakerOf } from '../src/answered-by.ts';

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

for (const [words, speaker] of [
  [
    "Hi, the person you're calling is using a screening service from Google, and will get a copy of this conversation. Go ahead and say your name, and why you're calling.",
    'screening',
  ],
  ['Please state your name after the tone, and we will try to connect you.', 'screening'],
  ['Please leave your name and the reason for your call, and I will call you back.', 'voicemail'],
  ['Wenn Sie Ihren Namen und den Grund Ihres Anrufs aufnehmen, prüfe ich, ob diese Person verfügbar ist.', 'screening'],
  ['Si grabas tu nombre y el motivo de tu llamada, comprobaré si esta persona está disponible.', 'screening'],
  [
    'Si vous enregistrez votre nom et le motif de votre appel, je vais vérifier si cette personne est disponible.',
    'screening',
  ],
  ["Hello, I'm the virtual assistant of Miller Dental. How can I help you?", 'ai'],
  ['Guten Tag, hier spricht die digitale Assistentin der Praxis.', 'ai'],
  ['Are you a virtual assistant?', 'human'],
  ['Soy el asistente virtual. Para citas, pulse uno.', 'ivr'],
] as const)
  test(`${speaker}: ${words}`, () => assert.equal(speakerOf(words), speaker));

test('whoever screens a call has its caller wait, and whoever takes it does not', () => {
  for (const words of [
    'Thanks. Please stay on the line.',
    'Einen Moment bitte, bleiben Sie in der Leitung.',
    'Gracias, no cuelgue.',
    'Merci, ne quittez pas.',
  ])
    assert.ok(isHold(words), words);
  for (const words of ['Hello?', 'Hallo?', 'Sí, dígame.', 'Oui, bonjour.', 'Yes, hold the pizza. Who is this?'])
    assert.ok(!isHold(words), words);
});
