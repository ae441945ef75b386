import assert from 'node:assert/strict';
import { test } from 'node:test';
import { questionsFrom } from '../src/questions.ts';
import { reply } from '../src/reply.ts';

const answers = (instructions: string, questions: string[]) =>
  questions.map(
    (content) =>
      reply(
        [
          { role: 'system', content: instructions },
          { role: 'user', content },
        ],
        [],
      ).text,
  );

test('a caller asks what the instructions answer, each question with another answer', () => {
  const library = `You are at the front desk of the city library. Be brief, and never promise anything.
The library opens at ten on Sundays. A library card costs five dollars a year.
- You are in Main Street, next to the town hall.
If somebody asks about parking, say that it is free behind the building.
Pets are welcome. Delivery takes two days. We sell bread, and cakes. There is a garden behind the house.`;
  const questions = questionsFrom(library, 20);
  assert.deepEqual(questions, [
    'When do you open on Sunday?',
    'How much does a library card cost?',
    'Where are you located?',
    'Can you tell me about parking?',
    'What about pets?',
    'How long does delivery take?',
    'Do you sell bread?',
    'Is there a garden?',
  ]);
  assert.deepEqual(answers(library, questions), [
    'The library opens at ten on Sundays.',
    'A library card costs five dollars a year.',
    'We are in Main Street, next to the town hall.',
    'It is free behind the building.',
    'Pets are welcome.',
    'Delivery takes two days.',
    'We sell bread, and cakes.',
    'There is a garden behind the house.',
  ]);
  assert.deepEqual(questionsFrom(library, 2), questions.slice(0, 2));
});

test('nothing is asked where the instructions only say how to behave', () => {
  assert.deepEqual(questionsFrom('You remind Ada of an appointment at three. Ask whether it still works.', 3), []);
  assert.deepEqual(questionsFrom('Press: one "no" is enough. {{product}} costs more than others.', 3), []);
  assert.deepEqual(questionsFrom('', 3), []);
});
