import { expect, test } from 'vitest';
import { countedAddress, createFailureThrottle } from '../../src/authentication/failure-throttle.ts';

test('after ten failures in a minute the eleventh call is refused, until the minute is over', () => {
  let now = 0;
  const throttle = createFailureThrottle(10, () => now);
  for (let failure = 0; failure < 10; failure += 1) {
    throttle.check('a');
    throttle.record('a');
  }
  now = 30_000;
  expect(() => throttle.check('a')).toThrow(
    expect.objectContaining({ status: 429, headers: { 'retry-after': '30' } }),
  );
  throttle.check('b');
  now = 60_000;
  throttle.check('a');
});

test('many addresses do not fill the memory, and the newest are still counted', () => {
  const throttle = createFailureThrottle(1, () => 0);
  for (let address = 0; address < 60_000; address += 1) throttle.record(String(address));
  throttle.check('0');
  expect(() => throttle.check('59999')).toThrow();
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
])('%s is counted as %s', (address, counted) => {
  expect(countedAddress(address)).toBe(counted);
});
