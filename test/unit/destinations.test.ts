import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertCallable, type CallingPolicy } from '../../src/calls/destinations.ts';
import { AppError } from '../../src/lib/errors.ts';

const policy: CallingPolicy = { enabled: true, countries: new Set(['US', 'GB', 'DE']) };

function refusal(phone_number: string, by: CallingPolicy = policy): string | null {
  try {
    assertCallable(phone_number, by);
    return null;
  } catch (error) {
    assert.ok(error instanceof AppError);
    return error.code;
  }
}

test('numbers of the listed countries may be dialled, fictional ones too', () => {
  for (const number of ['+14155550100', '+442079460123', '+4915112345678']) assert.equal(refusal(number), null, number);
});

test('numbers of other countries are refused, also those that share a country code', () => {
  for (const number of ['+81312345678', '+18765551234', '+390612345678'])
    assert.equal(refusal(number), 'destination_not_allowed', number);
});

test('premium-rate, shared-cost, satellite and country-less numbers are refused wherever calls may go', () => {
  for (const number of [
    '+19005551234',
    '+449012345678',
    '+491801234567',
    '+881234567890',
    '+870773111632',
    '+882133006550',
    '+979123456789',
  ]) {
    assert.equal(refusal(number), 'destination_not_allowed', number);
  }
});

test('the switch stops everything, in the sandbox too', () => {
  assert.equal(refusal('+14155550100', { ...policy, enabled: false }), 'calling_disabled');
  assert.equal(refusal('+14155550100', { enabled: false, countries: null }), 'calling_disabled');
});

test('the sandbox network may be dialled anywhere', () => {
  assert.equal(refusal('+15005550100', { enabled: true, countries: null }), null);
});
