import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Message, reply, type Tool } from '../src/reply.ts';

const LIBRARY = `You are at the front desk of the city library. Be brief, and never promise anything.
The library opens at ten on Sundays. On weekdays it is open from nine to seven, and it closes at six on Saturdays.
- A library card costs five dollars a year.
- You are in Main Street, next to the town hall.
- Books can be kept for four weeks.
If somebody asks about parking, say that it is free behind the building.
When a caller is rude, stay calm.`;

const ask = (text: string, instructions = LIBRARY, ...before: string[]): string => {
  const messages: Message[] = [{ role: 'system', content: instructions }];
  for (const content of before) messages.push({ role: 'user', content }, { role: 'assistant', content: 'So it is.' });
  return reply([...messages, { role: 'user', content: text }], []).text;
};
const UNKNOWN = 'I am sorry, I have no information about that.';

for (const [question, answer] of [
  ['When do you open on Sunday?', 'The library opens at ten on Sundays.'],
  ['when do you close on saturday', 'On weekdays it is open from nine to seven, and it closes at six on Saturdays.'],
  ['What are your hours on Tuesday?', 'On weekdays it is open from nine to seven, and it closes at six on Saturdays.'],
  ['How much does a library card cost?', 'A library card costs five dollars a year.'],
  ["What's the price of a card?", 'A library card costs five dollars a year.'],
  ['Where is the library?', 'We are in Main Street, next to the town hall.'],
  ['How long can I keep a book?', 'Books can be kept for four weeks.'],
  ['Where can I park my car?', 'It is free behind the building.'],
  ['Hi, when do you open on Sunday.', 'The library opens at ten on Sundays.'],
] as const)
  test(`"${question}" is answered from the instructions`, () => assert.equal(ask(question), answer));

for (const greeting of ['Hello.', 'Hello?', 'Good morning', 'Hi, this is Anna.'])
  test(`"${greeting}" is greeted`, () => assert.equal(ask(greeting), 'Hello. What can I do for you?'));

for (const question of [
  'Do you sell tickets for the opera?',
  'Who won the football match?',
  'Are you calm?',
  'When do you open on Christmas?',
])
  test(`"${question}" has no answer in the instructions, and the agent says so without repeating it`, () =>
    assert.equal(ask(question), UNKNOWN));

test('an answer for another day is none', () => {
  assert.equal(ask('When do you open on Monday?', 'It opens at ten on Sundays.'), UNKNOWN);
  assert.match(ask('When do you open on Wednesday?', 'We open at eight from Monday to Friday.'), /eight/);
  assert.match(ask('When do you open on Wednesday?', 'We open at eight.'), /eight/);
  assert.match(ask('When do you open today?', 'We open at eight every day.'), /eight/);
});

test('an answer that the agent was told to give is said to the caller', () => {
  const told = 'If somebody asks about parking, say that they can park behind the building.';
  assert.equal(ask('Where can I park?', told), 'You can park behind the building.');
});

test('a question that continues another is about the same subject', () => {
  const hours = 'It opens at ten on Sundays. It opens at noon on Mondays.';
  assert.equal(ask('And on Monday?', hours, 'When do you open on Sunday?'), 'It opens at noon on Mondays.');
});

test('without instructions nothing is known, and no sentence of the caller is ever repeated', () => {
  for (const words of ['My dog has green shoes.', 'The kitchen window does not close.', 'Blue.'])
    assert.equal(ask(words, ''), UNKNOWN);
});

const HANG_UP: Tool = { name: 'hang_up', description: 'Ends the call. Say goodbye first.' };
const TRANSFER: Tool = {
  name: 'transfer',
  parameters: { properties: { destination: { type: 'string', enum: ['front desk', 'Billing'] } } },
};
const ORDER: Tool = {
  name: 'order_status',
  description: 'Looks up where an order is.',
  parameters: { properties: { order_number: { type: 'integer' } }, required: ['order_number'] },
};
const call = (text: string, ...tools: Tool[]) => reply([{ role: 'user', content: text }], tools);

test('the tools whose words were said are called', () => {
  for (const words of ['Please hang up the phone.', 'Goodbye!', 'Thank you, that was all.'])
    assert.equal(call(words, HANG_UP).call?.name, 'hang_up', words);
  assert.deepEqual(call('Could you put me through to the front desk?', TRANSFER).call?.arguments, {
    destination: 'front desk',
  });
  assert.equal(
    call('Please connect me with the boss.', TRANSFER).text,
    'I can transfer you to front desk, or to Billing.',
  );
  assert.deepEqual(call('What is the status of my order seven four two?', HANG_UP, ORDER).call, {
    name: 'order_status',
    arguments: { order_number: 742 },
  });
  assert.deepEqual(call('What is the status of my order?', ORDER), {
    text: 'Please tell me the order number.',
    call: null,
  });
  assert.equal(call('The weather is nice.', HANG_UP, TRANSFER, ORDER).call, null);
});

test('whom to call or to connect with is what the last line says, without its full stop', () => {
  assert.equal(call('Hello.\nConnect me with Billing, please!!', TRANSFER).call?.arguments.destination, 'Billing');
  assert.equal(call('Connect me with Billing.\nHow are you?', TRANSFER).call, null);
  const tool: Tool = { name: 'set' };
  assert.deepEqual(call('So:\nPlease call the function set with 3.5!?', tool).call?.arguments, { value: '3.5' });
  assert.deepEqual(call('Run function set.', tool).call?.arguments, {});
});

test('no message and no instructions take much longer than others of their length', () => {
  const quickest = (text: string, instructions = LIBRARY) => {
    const times = Array.from({ length: 3 }, () => {
      const began = performance.now();
      reply(
        [
          { role: 'system', content: instructions },
          { role: 'user', content: text },
        ],
        [TRANSFER, ORDER],
      );
      return performance.now() - began;
    });
    return Math.min(...times);
  };
  const message = quickest('word '.repeat(1_600));
  for (const said of [
    `${'put '.repeat(1_000)}${'to '.repeat(1_300)}x\nx`,
    `${'call function a with '.repeat(100)}${'.'.repeat(5_800)}x\nx`,
  ])
    assert.ok(quickest(said) < 100 * message, said.slice(0, 40));
  const question = 'When do you open on Sunday?';
  const instructions = quickest(question, 'word '.repeat(12_000));
  assert.ok(quickest(question, `a${' '.repeat(60_000)}b`) < 100 * instructions);
});

test("a tool's result is said as a sentence", () => {
  const after = (content: string) => reply([{ role: 'tool', content }], []).text;
  assert.equal(after('"Ten to four."'), 'Ten to four.');
  assert.equal(after('{"status":"shipped","arrives":"on Monday"}'), 'status: shipped, arrives: on Monday.');
  assert.equal(after('"An error occurred: timeout"'), 'I am sorry, that did not work.');
  assert.equal(after(''), 'That is done.');
});

test('an answer of another model that broke off is given as a whole, of which the worker leaves out what was said', () => {
  const messages: Message[] = [
    { role: 'system', content: LIBRARY },
    { role: 'user', content: 'When do you open on Sunday?' },
    { role: 'assistant', content: 'The library opens ' },
    { role: 'system', content: 'Your last message was cut off by a technical fault. Continue it.' },
  ];
  assert.equal(reply(messages, []).text, 'The library opens at ten on Sundays.');
});

test('nothing is done because of its own words', () => {
  const messages = [
    { role: 'user', content: 'Connect me with the library.' },
    { role: 'assistant', content: 'Thank you. Goodbye.' },
  ];
  assert.deepEqual(reply(messages, [{ name: 'hang_up' }]), { text: 'I am listening.', call: null });
});
