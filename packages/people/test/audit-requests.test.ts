import { expect, test } from 'vitest';
import {
  actionOf,
  createRecentRequests,
  createRefusalLimit,
  maxRefusalsOfNetwork,
  maxRefusalsPerHour,
} from '../src/audit/audit-requests.ts';

test.each([
  ['putPool', 'pool.put'],
  ['createInstallKey', 'install-key.create'],
  ['install', 'install'],
  ['configureBookingSystem', 'booking-system.configure'],
])('the operation %s is the action %s', (operationId, action) => {
  expect(actionOf(operationId)).toBe(action);
});

test('how a request ended is remembered for a minute', () => {
  let now = 0;
  const recent = createRecentRequests(() => now);
  expect(recent.statusOf('a')).toBeUndefined();
  recent.remember('a', 200);
  now = 59_999;
  expect(recent.statusOf('a')).toBe(200);
  recent.remember('b', 404);
  now = 60_000;
  expect([recent.statusOf('a'), recent.statusOf('b')]).toEqual([undefined, 404]);
});

test('the least recently recorded request is forgotten first', () => {
  const recent = createRecentRequests(() => 0);
  recent.remember('first', 200);
  recent.remember('second', 200);
  recent.remember('first', 201);
  for (let count = 0; count < 9_999; count += 1) recent.remember(`${count}`, 200);
  expect([recent.statusOf('first'), recent.statusOf('second')]).toEqual([201, undefined]);
});

const manyAddresses = Array.from({ length: maxRefusalsPerHour + 5 }, (_, index) => `203.0.${index}.1`);

test('a refusal is recorded once an hour for each address, and not for more than some hundred addresses', () => {
  let now = 0;
  const isRecorded = createRefusalLimit(() => now);
  const record = (addresses: readonly string[]) => addresses.filter((address) => isRecorded(address));
  expect(record(manyAddresses)).toHaveLength(maxRefusalsPerHour);
  now = 3_599_999;
  expect(record(manyAddresses)).toEqual([]);
  now = 3_600_000;
  expect(record(manyAddresses.toReversed())).toHaveLength(maxRefusalsPerHour);
});

test.each([
  ['IPv4', (place: number) => `203.0.113.${place}`, '198.51.100.7'],
  ['IPv6', (place: number) => `2001:db8:7:${place.toString(16)}`, '2001:db8:8:1'],
])('the addresses of one network, %s, do not hide the refusals of others', (_name, addressOf, other) => {
  const isRecorded = createRefusalLimit(() => 0);
  const addresses = Array.from({ length: 250 }, (_, place) => addressOf(place));
  expect(addresses.filter((address) => isRecorded(address))).toHaveLength(maxRefusalsOfNetwork);
  expect(isRecorded(other)).toBe(true);
});

test('accounts have no network', () => {
  const isRecorded = createRefusalLimit(() => 0);
  const accounts = Array.from({ length: 50 }, (_, place) => `oidc:${place}`);
  expect(accounts.filter((account) => isRecorded(account, account))).toHaveLength(50);
});
