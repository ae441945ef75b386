import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Message, type Reply, reply, type Tool } from '../src/reply.ts';

const HANG_UP: Tool = { name: 'hang_up' };
const MESSAGE: Tool = {
  name: 'save_message',
  description: 'Saves a message for the morning.',
  parameters: {
    properties: {
      name: { type: 'string' },
      phone_number: { type: 'string' },
      message: { type: 'string', description: 'In the caller’s words.' },
      reachable: { type: 'string', description: 'The time at which they can be reached.' },
      is_urgent: { type: 'boolean' },
    },
    required: ['name', 'phone_number', 'message', 'is_urgent'],
  },
};
const ORDER: Tool = {
  name: 'find_order',
  description: 'Looks an order up.',
  parameters: {
    properties: { order_number: { type: 'string', description: 'Digits only.' }, postal_code: { type: 'string' } },
    required: ['order_number', 'postal_code'],
  },
};
const VISIT: Tool = {
  name: 'record_visit',
  description: 'Records whether somebody comes to the appointment.',
  parameters: {
    properties: {
      answer: { type: 'string', enum: ['confirmed', 'move', 'cancelled', 'do_not_call'] },
      wish: { type: 'string', description: 'To move it: the days that suit.' },
      note: { type: 'string', description: 'Anything else.' },
    },
    required: ['answer'],
  },
};

/** A conversation, and what was said and called in the end. */
function talk(tools: Tool[], said: string[], instructions = '', result = '{"ok":true}') {
  const messages: Message[] = [{ role: 'system', content: instructions }];
  const calls: NonNullable<Reply['call']>[] = [];
  let last: Reply = { text: '', call: null };
  for (const content of said) {
    messages.push({ role: 'user', content });
    for (let thoughts = 0; thoughts < 4; thoughts++) {
      last = reply(messages, tools);
      if (last.text) messages.push({ role: 'assistant', content: last.text });
      if (!last.call) break;
      calls.push(last.call);
      if (last.call.name === 'hang_up') break;
      messages.push({ role: 'tool', content: result });
    }
  }
  const made = calls.map(({ name, arguments: args }): Record<string, unknown> => ({ tool: name, ...args }));
  return { calls: made, text: last.text };
}

test('a function is called once everything that it requires was said, in as many sentences as it takes', () => {
  const said = [
    'I would like to leave a message.',
    'My name is Ada Lovelace.',
    '555 0123',
    'The lift is stuck',
    'Yes.',
  ];
  assert.deepEqual(talk([MESSAGE], said).calls, [
    {
      tool: 'save_message',
      name: 'Ada Lovelace',
      phone_number: '555 0123',
      message: 'The lift is stuck',
      is_urgent: true,
    },
  ]);
  assert.equal(talk([MESSAGE], said.slice(0, 4)).text, 'Is it urgent?');
  assert.deepEqual(talk([ORDER], ['Look up order 1234 5678, please.', 'It is 90210.']).calls, [
    { tool: 'find_order', order_number: '12345678', postal_code: '90210' },
  ]);
});

test('values are asked for in the order of the list of required ones: databases reorder the fields', () => {
  const { properties = {}, ...parameters } = ORDER.parameters ?? {};
  const fields = Object.fromEntries(Object.entries(properties).toReversed());
  const reordered = { ...ORDER, parameters: { ...parameters, properties: fields } };
  for (const said of [['Look up my order, please.'], ['Look up order 1234 5678, please.', 'It is 90210.']])
    assert.deepEqual(talk([reordered], said), talk([ORDER], said));
});

test('a value that is corrected by its name replaces the one before, and the question stays open', () => {
  const said = ['Look up my order 12345678.', 'No, sorry, the order number is 12345679.'];
  assert.equal(talk([ORDER], said).text, 'Please tell me the postal code.');
  assert.equal(talk([ORDER], [...said, '90210']).calls[0]?.order_number, '12345679');
});

test('a caller who asks something else, wants somebody else or leaves, does not answer a question', () => {
  const open = 'We open at nine.';
  assert.equal(talk([ORDER], ['Look up my order.', 'When do you open?'], open).text, open);
  assert.deepEqual(talk([ORDER, HANG_UP], ['Look up my order.', 'Never mind, goodbye.']).calls, [{ tool: 'hang_up' }]);
});

test('choices are understood in other forms, dates as they were said, and what was not said is left out', () => {
  const made = (words: string) => talk([VISIT], [words]).calls;
  const listed = { answer: { type: 'string', description: 'confirmed, move or cancelled' } };
  const described = { ...VISIT, parameters: { properties: listed, required: ['answer'] } };
  assert.equal(talk([described], ['I want to cancel the appointment.']).calls[0]?.answer, 'cancelled');
  const tool = 'record_visit';
  assert.deepEqual(made('I want to cancel the appointment.'), [{ tool, answer: 'cancelled' }]);
  assert.deepEqual(made('Please move the appointment to Friday afternoon.'), [
    { tool, answer: 'move', wish: 'Friday afternoon' },
  ]);
  assert.deepEqual(made('Can I move the appointment to the 31st of June at half past two?'), [
    { tool, answer: 'move', wish: 'the 31st of June at half past two' },
  ]);
});

test('who does not want to be called is recorded and let go, whatever was asked', () => {
  for (const words of ['Stop calling me!', "Don't call this number", 'Never call me again.', 'Take me off your list'])
    assert.deepEqual(
      talk([VISIT, HANG_UP], [words]).calls,
      [{ tool: 'record_visit', answer: 'do_not_call' }, { tool: 'hang_up' }],
      words,
    );
  assert.deepEqual(talk([ORDER, HANG_UP], ['Look up my order.', 'Stop calling me!']).calls, [{ tool: 'hang_up' }]);
  for (const words of [
    'I do not call you often.',
    "Don't call me Mr. Smith, my name is Ada.",
    'Please do not call me before nine.',
    'Take me off hold, please.',
    'That must not be called a refund.',
  ])
    assert.deepEqual(talk([VISIT, HANG_UP], [words]).calls, [], words);
  const failed = talk([VISIT, HANG_UP], ['Stop calling me!'], '', '{"error":"status 500"}');
  assert.equal(failed.calls.length, 2);
});

test('fields of a result that must not be said are not, and others only on request', () => {
  const result = '{"status":"packed","customer_name":"Ada","tracking_number":"77","ok":true}';
  const said = ['Look up order 12345678, the postal code is 90210.'];
  const rules = '# Never\n- Say a name.\n\n# Results\nA tracking number only if they ask.';
  assert.equal(talk([ORDER], said, rules, result).text, 'status: packed.');
  assert.equal(talk([ORDER], said, 'Never say a name or a tracking number.', result).text, 'status: packed.');
  assert.equal(talk([ORDER], said, '', result).text, 'status: packed, customer name: Ada, tracking number: 77.');
  assert.equal(talk([ORDER], said, rules, '{"status": "pa').text, 'I am sorry, that did not work.');
  // As the library hands it on in a call.
  assert.equal(talk([ORDER], said, rules, JSON.stringify('{"status": "pa')).text, 'I am sorry, that did not work.');
});

test('what stands below "Never" is said to nobody, and orders to the caller are', () => {
  const rules =
    '# Never\n- Quote a price of ten dollars.\n\n# Danger\nIf anybody is in danger, tell the caller to leave the house.';
  assert.equal(talk([], ['What is the price?'], rules).text, 'I am sorry, I have no information about that.');
  assert.equal(talk([], ['Somebody is in danger!'], rules).text, 'Please leave the house.');
  // A fact that is added at the end of a prompt, as people do, may stand there.
  for (const list of ['- Insist.\n- Quote a price\n  of ten dollars.\n', 'Quote a price of ten dollars.\n\n']) {
    const added = `# Never\n${list}There is parking behind the house.`;
    assert.equal(talk([], ['Where is the parking?'], added).text, 'There is parking behind the house.');
    assert.equal(talk([], ['What is the price?'], added).text, 'I am sorry, I have no information about that.');
  }
});

const SURVEY = `Ask in this order:
1. score: "From zero to ten, how was it?"
2. reason: "Why?"`;
const SAVE: Tool = {
  name: 'save_answer',
  parameters: {
    properties: { question: { type: 'string', enum: ['score', 'reason', 'call_again'] }, answer: { type: 'string' } },
    required: ['question', 'answer'],
  },
};

test('questions are asked in their order, each answer is saved, and numbers are asked for again', () => {
  const tool = 'save_answer';
  const { calls, text } = talk([SAVE, HANG_UP], ['Yes', 'Good', 'Nine', 'What do you mean?', 'The staff'], SURVEY);
  assert.deepEqual(calls, [
    { tool, question: 'score', answer: '9' },
    { tool, question: 'reason', answer: 'The staff' },
    { tool: 'hang_up' },
  ]);
  assert.equal(text, 'Thank you for your answers. Goodbye.');
  assert.deepEqual(talk([SAVE, HANG_UP], ['I am busy', 'On Monday'], SURVEY).calls, [
    { tool, question: 'call_again', answer: 'On Monday' },
    { tool: 'hang_up' },
  ]);
  assert.deepEqual(talk([SAVE, HANG_UP], ['No, thanks'], SURVEY).calls, [{ tool: 'hang_up' }]);
});

test('a configuration that is wrong in any way, and long texts of blanks, are survived at once', () => {
  const wrong = {
    ...SAVE,
    parameters: { properties: { question: { enum: 5 }, answer: { type: 7, description: [] } } },
  };
  const blank = `# Never${'\n \n'.repeat(4_000)}${' ,'.repeat(8_000)}`;
  for (const words of ['Save the answer to the question.', 'Stop calling me!', blank])
    assert.equal(typeof talk([wrong as unknown as Tool, HANG_UP], [words], blank).text, 'string');
});
