import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InexactNumber, isExactNumber, parseJson } from '../../src/http/json-number.ts';

test('every number that JavaScript writes is exact', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(isExactNumber(JSON.stringify(value))).toBe(true);
      expect(parseJson(JSON.stringify({ value }))).toEqual(JSON.parse(JSON.stringify({ value })));
    }),
  );
});

test('an integer beyond the safe range is exact if it would be sent back with the same digits', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 2n ** 53n, max: 10n ** 21n - 1n }), (value) => {
      expect(isExactNumber(String(value))).toBe(String(Number(value)) === String(value));
    }),
  );
});

test.each([
  '9007199254740993',
  '12345678901234567890',
  '0.1234567890123456789',
  '1e400',
  '-1e-400',
  '1.00000000000000000001',
])('%s is found, wherever it stands', (source) => {
  expect(parseJson(`{"a":[${source}]}`)).toEqual({ a: [new InexactNumber(source)] });
});

test.each(['1.0', '1e3', '1000000000000000000000', '0.10', '-0', '1E+2', '5e-324'])(
  '%s is fine',
  (source) => {
    expect(parseJson(source)).toBe(Number(source));
  },
);
