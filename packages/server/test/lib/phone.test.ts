import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isPhoneNumber, maskPhoneNumbers } from '../../src/lib/phone.ts';

for (const number of ['+15005550010', '+12025550123', '+442079460000', '+4930901820', '+33612345678', '+80012345678']) {
  test(`${number} is a phone number`, () => assert.equal(isPhoneNumber(number), true));
}

const NO_NUMBERS = {
  'without a plus sign': '15005550010',
  'with spaces': '+1 500 555 0010',
  'with dashes': '+1-500-555-0010',
  'beginning with a zero': '+05005550010',
  'too short for its country': '+1500555001',
  'too long for its country': '+150055500100',
  'of more than 15 digits': '+1234567890123456',
  'with an extension': '+15005550010;ext=5',
  'with a line break behind it': '+15005550010\n',
  'of other digits': '+1٥٠٠٥٥٥٠٠١٠',
  'in a tel: URL': 'tel:+15005550010',
  'a SIP address': 'sip:+15005550010@example.com',
  'of no country': '+9995005550010',
  empty: '',
  'only a plus sign': '+',
};
for (const [what, text] of Object.entries(NO_NUMBERS)) {
  test(`a number ${what} is refused`, () => assert.equal(isPhoneNumber(text), false));
}

const MASKED: [line: string, masked: string][] = [
  ['{"to":"+15005550010"}', '{"to":"+***0010"}'],
  ['calling +442079460000 and +4930901820.', 'calling +***0000 and +***1820.'],
  ['GET /lookup?phone_number=%2B15005550010', 'GET /lookup?phone_number=%2B***0010'],
  ['GET /lookup?phone_number=%2b15005550010&x=1', 'GET /lookup?phone_number=%2b***0010&x=1'],
  ['GET /lookup?phone_number=15005550010', 'GET /lookup?phone_number=***0010'],
  ['GET /lookup?x=1&phone_number=%2015005550010', 'GET /lookup?x=1&phone_number=%20***0010'],
  ['sip:+15005550010@trunk.example.com', 'sip:+***0010@trunk.example.com'],
  ['+15005550010+15005550011', '+***0010+***0011'],
];
for (const [line, masked] of MASKED) {
  test(`${line} is logged as ${masked}`, () => assert.equal(maskPhoneNumbers(line), masked));
}

test('text that is not a phone number is logged unchanged', () => {
  const lines = [
    '{"time":1772359200000,"ms":12.5}',
    '01980000-0000-7000-8000-000000000000',
    '1+1=2',
    'UTC+02:00',
    '+123',
  ];
  for (const line of lines) assert.equal(maskPhoneNumbers(line), line);
});

test('a log shows at most four digits of any E.164 number', () => {
  const number = fc.stringMatching(/^\+[1-9]\d{7,14}$/);
  const around = fc.stringMatching(/^[a-z ":,{}@/=]{0,10}$/);
  fc.assert(
    fc.property(around, number, around, (before, digits, after) => {
      assert.equal(maskPhoneNumbers(`${before}${digits}${after}`), `${before}+***${digits.slice(-4)}${after}`);
    }),
  );
});
