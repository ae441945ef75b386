import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredBy, holdOf, speakerOf } from '../src/answered-by.ts';

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
  ['Cancer screening center, how can I help you?', 'human'],
  ['Cancer screening center, my name is Anna. How may I help you?', 'human'],
  ['Krebsvorsorge, Screening-Zentrum, was kann ich für Sie tun?', 'human'],
  ['This is a screening service. How can I help you? Please say your name.', 'screening'],
  [
    "This call is being screened by a call screening service. How can I help you? I'll see if she is available.",
    'screening',
  ],
  ['Soy el asistente virtual. Para citas, pulse uno.', 'ivr'],
] as const)
  test(`${speaker}: ${words}`, () => assert.equal(speakerOf(words), speaker));

test('whoever screens a call has its caller wait, a person does for a moment, and whoever takes it does not', () => {
  for (const [words, who] of [
    ['Thanks. Please stay on the line.', 'machine'],
    ["One moment please, I'm connecting you.", 'machine'],
    ["Thanks, I'll see if this person is available.", 'machine'],
    ['Einen Moment bitte, bleiben Sie in der Leitung.', 'machine'],
    ['Gracias, no cuelgue.', 'machine'],
    ['Merci, ne quittez pas.', 'machine'],
    ['Just a moment.', 'person'],
    ["Hold on, I'll see if he is here.", 'person'],
    ['Einen Augenblick, ich hole sie.', 'person'],
    ['Un momento.', 'person'],
    ['Un instant, je vous prie.', 'person'],
    ['Hello?', null],
    ['Hallo?', null],
    ['Sí, dígame.', null],
    ['Oui, bonjour.', null],
    ['Yes, hold the pizza. Who is this?', null],
    ['Just a moment, who is this?', null],
    ['just a moment who is this', null],
    ['Do you have a moment?', null],
    ['Un momento, ¿quién es?', null],
    ['Einen Moment, wer ist da', null],
    ["Un instant, c'est qui", null],
  ] as const)
    assert.equal(holdOf(words), who, words);
});
