import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { assertCallable, type CallingPolicy } from '../../src/calling/outbound/destinations.ts';
import { AppError } from '../../src/lib/errors.ts';

const policy: CallingPolicy = {
  enabled: true,
  countries: new Set(['US', 'GB', 'DE']),
  blockedPrefixes: [],
  sipHeaders: [],
};
const anywhere: CallingPolicy = { ...policy, countries: new Set(getCountries()) };

function refusal(phone_number: string, by: CallingPolicy): AppError | null {
  try {
    assertCallable(phone_number, by);
    return null;
  } catch (error) {
    assert.ok(error instanceof AppError);
    return error;
  }
}

const numbers = (text: string) => text.trim().split(/\s+/);

const ALLOWED = {
  'fixed lines': numbers(`
    +442079460123 +493012345678 +31201234567 +31181234567 +33123456789 +41443680000 +4315120123 +390612345678 +34912345678 +81312345678
    +61291234567 +6493451234 +861012345678 +911123456789 +74951234567 +551123456789 +97142123456 +27101234567 +85221234567 +6561234567
    +902123456789 +48123456789 +3225551234 +468123456 +4721234567 +3581312345 +35315212345 +40211234567 +3612345678 +420212345678
    +302123456789 +351212345678 +541123456789 +97231234567 +8221234567 +886221234567 +6621234567 +622112345678 +60323456789 +493900112`),
  mobiles: numbers(`
    +4915112345678 +491621234567 +33612345678 +41791234567 +436641234567 +393123456789 +34612345678 +819012345678 +61412345678 +6421123456
    +8613800138000 +919876543210 +79261234567 +5511961234567 +971501234567 +27711234567 +254712123456 +2348021234567 +85251234567 +6581234567
    +905012345678 +48512345678 +32470123456 +46701234567 +4740612345 +358412345678 +353850123456 +5491123456789 +972502345678 +821020000000
    +639112345678 +18765551234 +31612345678`),
  'fixed or mobile': numbers('+14155550100 +14159111234 +18095551234 +525512345678 +4520123456 +4532123456'),
  'toll-free': numbers(
    '+18005551234 +448001111 +498001234567 +318001234 +33800123456 +41800123456 +39800123456 +34900123456 +78001234567',
  ),
  VoIP: numbers('+445612345678 +31850123456 +33912345678 +43720123456 +815012345678 +48391234567'),
};

const REFUSED: Record<string, string[]> = {
  'its kind is PREMIUM_RATE': numbers(`
    +19005551234 +449098790000 +448431234567 +448701234567 +33899123456 +33892123456 +41900123456 +43900123456 +39899123456
    +39166123456 +34806123456 +81990123456 +611900123456 +64900123456 +78091234567 +550900123456 +27862345678 +254900223456 +6519001234567
    +909001234567 +48701234567 +3290012345 +469001234567 +4782012345 +4590123456 +358600123456 +40900123456 +3690123456 +420900123456
    +309011234567 +351760123456 +529001234567 +82602345678 +841900123456 +628091234567`),
  'its kind is SHARED_COST': numbers(
    '+41840123456 +43810123456 +39840123456 +34902123456 +611300123456 +864001234567 +5503001234567 +48801234567 +46771234567',
  ),
  'its kind is PERSONAL_NUMBER': numbers('+15005551234 +16225551234 +39199123456 +34704123456 +353700123456'),
  'its kind is PAGER': numbers('+447600123456 +4916912345678 +31662345678 +812012345678 +46740123456'),
  'its kind is UAN': numbers(
    '+443001234567 +31880123456 +41581234567 +34511234567 +81570123456 +27861123456 +351707123456',
  ),
  'it is a personal number': ['+447012345678'],
  'it is a premium-rate exchange': ['+14159761234', '+12129765555'],
  'it is a premium-rate number': numbers(
    '+491901234567 +4919012345 +4990012345 +49900123456 +31900123 +3190012345678 +31909123456',
  ),
  'it is a shared-cost number': numbers('+491371234567 +4918012345 +491805123456'),
  'it is a directory service': numbers('+4911833 +49118331234 +4411812345 +14155551212'),
  'it is a satellite network': numbers('+16005551234 +61147101234 +62868123456 +79541234567'),
  'it belongs to no country': numbers('+881234567890 +870773111632 +979123456789 +80012345678'),
  'no numbering plan has it': numbers(`
    +17005551234 +19765551234 +12425551234 +441632960000 +447700900123 +497001234567 +41741234567 +34905123456 +971900123456 +3270123456
    +39178123456 +882133006550 +48118913000 +311888123456 +4512345678 +72345`),
  '911 is an emergency number': numbers('911 +911 +1911 +19115551212 +63911'),
  '112 is an emergency number': numbers('112 +112 +49112 +4911212345 +44112 +33112 +390112 +4711212345 +90112'),
  '999 is an emergency number': numbers('999 +999 +44999 +440999 +65999 +971999'),
  '110 is an emergency number': numbers('110 +110 +49110 +490110 +81110 +86110 +49110123456'),
  '119 is an emergency number': numbers('119 +81119 +82119'),
  '000 is an emergency number': numbers('000 +61000'),
  '190 is an emergency number': ['+55190'],
};

test('fixed lines, mobiles, toll-free and VoIP numbers may be dialled', () => {
  for (const [kind, list] of Object.entries(ALLOWED))
    for (const number of list) assert.equal(refusal(number, anywhere)?.message ?? null, null, `${kind}: ${number}`);
});

test('mobiles of every country may be dialled once it is listed', () => {
  for (const country of getCountries()) {
    const number = getExampleNumber(country, examples)?.number;
    assert.ok(number, country);
    assert.equal(refusal(number, anywhere)?.message ?? null, null, `${country}: ${number}`);
  }
});

test('numbers of other types are refused with the reason', () => {
  assert.ok(Object.values(REFUSED).flat().length >= 100);
  const wrong = Object.entries(REFUSED).flatMap(([why, list]) =>
    list
      .map((number) => ({ number, code: refusal(number, anywhere)?.code, detail: refusal(number, anywhere)?.message }))
      .filter(
        ({ code, detail }) =>
          `${code}: ${detail}` !== `destination_not_allowed: This number must not be dialled: ${why}.`,
      ),
  );
  assert.deepEqual(wrong, []);
});

test('numbers of other countries are refused, even with the same country code', () => {
  for (const [number, country] of [
    ['+81312345678', 'JP'],
    ['+18765551234', 'JM'],
    ['+390612345678', 'IT'],
    ['+447911123456', 'GG'],
    ['+447624123456', 'IM'],
  ] as const)
    assert.equal(
      refusal(number, policy)?.message,
      `This number must not be dialled: ${country} is not among CALLING_COUNTRIES.`,
    );
});

test('the operator may block further prefixes', () => {
  const blocking = { ...anywhere, blockedPrefixes: ['+4477', '+1712'] };
  const why = 'This number must not be dialled: it begins with +1712, which is in CALLING_BLOCKED_PREFIXES.';
  assert.equal(refusal('+17124321234', blocking)?.message, why);
  assert.equal(refusal('+447712345678', blocking)?.code, 'destination_not_allowed');
  assert.equal(refusal('+447812345678', blocking), null);
  assert.equal(refusal('+17134321234', blocking), null);
});

test('a national prefix behind the country code gets a number past no prefix that is refused', () => {
  const numbers = Object.entries({
    '+112129761234': 'it is a premium-rate exchange',
    '+114155551212': 'it is a directory service',
    '+610147101234': 'it is a satellite network',
    '+789541234567': 'it is a satellite network',
    '+4407712345678': 'it begins with +4477, which is in CALLING_BLOCKED_PREFIXES',
    '+117124321234': 'it begins with +1712, which is in CALLING_BLOCKED_PREFIXES',
  });
  const blocking = { ...anywhere, blockedPrefixes: ['+4477', '+1712'] };
  for (const [number, why] of numbers)
    assert.equal(refusal(number, blocking)?.message, `This number must not be dialled: ${why}.`, number);
  assert.equal(refusal('+4407812345678', blocking), null);
});

test('CALLING_ENABLED=false stops everything, in the sandbox too', () => {
  assert.equal(refusal('+14155550100', { ...policy, enabled: false })?.code, 'calling_disabled');
  assert.equal(refusal('+14155550100', { ...policy, enabled: false, countries: null })?.code, 'calling_disabled');
});

test('the sandbox network may be dialled anywhere, fictional numbers too', () => {
  for (const number of ['+15005550100', '+12425551234', '+447700900123'])
    assert.equal(refusal(number, { ...policy, countries: null }), null);
});
