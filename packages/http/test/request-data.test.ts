import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { HttpProblem } from '../src/answers/problems.ts';
import {
  findUnstorable,
  InexactNumber,
  isExactNumber,
  maxNesting,
  parseJson,
  readJsonBody,
} from '../src/app/request-data.ts';

const read = (text: string) => readJsonBody(Buffer.from(text));

test('any bytes are JSON or a 400', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      try {
        readJsonBody(Buffer.from(bytes));
      } catch (error) {
        expect(error).toBeInstanceOf(HttpProblem);
        expect(error).toMatchObject({ status: 400, code: 'malformed_json' });
      }
    }),
  );
});

test('a refusal does not repeat the body', () => {
  expect(() => read('{"apiKey": secret-value}')).toThrow(/^The body is not JSON: (?!.*secret)/);
  expect(() => read('{"apiKey": "secret-value')).toThrow(/^The body is not JSON: (?!.*secret)/);
  expect(() => read('{"apiKey":')).toThrow(/it ends too early/);
  expect(() => readJsonBody(Buffer.from([0x22, 0xff, 0x22]))).toThrow(/UTF-8/);
});

test('a declared charset is decoded; what is not of it is a 400, and an unknown one a 415', () => {
  const latin1 = Buffer.from('{"name":"Jürgen"}', 'latin1');
  expect(readJsonBody(latin1, 'application/json; charset=ISO-8859-1')).toEqual({ name: 'Jürgen' });
  expect(readJsonBody(latin1, 'application/json; charset="windows-1252"')).toEqual({ name: 'Jürgen' });
  expect(
    readJsonBody(Buffer.from('{"name":"Jürgen"}', 'utf16le'), 'application/json; charset=utf-16le'),
  ).toEqual({
    name: 'Jürgen',
  });
  const problem = (bytes: Buffer, contentType?: string) => {
    try {
      return readJsonBody(bytes, contentType);
    } catch (error) {
      return error;
    }
  };
  for (const contentType of [undefined, 'application/json', 'application/json; charset=utf-8'])
    expect(problem(latin1, contentType)).toMatchObject({
      status: 400,
      message: expect.stringContaining('UTF-8'),
    });
  expect(problem(Buffer.from([0x81]), 'application/json; charset=shift_jis')).toMatchObject({
    status: 400,
    message: 'The body is not JSON: it is not SHIFT_JIS.',
  });
  expect(problem(latin1, 'application/json; charset=klingon')).toMatchObject({
    status: 415,
    message: 'The charset "klingon" of the body is not known here: send it in UTF-8.',
  });
});

test('any JSON without odd texts is kept', () => {
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: 'small', maxDepth: 8 }), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!/__proto__|\\u0000|\\ud[89a-f]/i.test(text));
      expect(findUnstorable(read(text))).toBeUndefined();
    }),
  );
});

test.each([
  ['{"a":{"b":["x","\\u0000"]}}', 'a.b[1]'],
  ['{"a":"\\ud800"}', 'a'],
  ['{"a":{"__proto__":{"admin":true}}}', 'a.__proto__'],
  ['{"accountId":12345678901234567890}', 'accountId'],
  ['{"a":{"\\u0000":1}}', 'a'],
])('%s is refused at %s', (text, path) => {
  expect(findUnstorable(read(text))?.path).toBe(path);
});

test('nesting has a limit', () => {
  const nested = (levels: number) => read('['.repeat(levels) + ']'.repeat(levels));
  expect(findUnstorable(nested(maxNesting))).toBeUndefined();
  expect(findUnstorable(nested(maxNesting + 1))?.message).toContain('nested');
  expect(findUnstorable(nested(100_000))?.message).toContain('nested');
});

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

test('the strokes of a large signing are parsed once, without a reviver, whatever stands beside them', () => {
  const strokes = Array.from({ length: 100_000 }, (_, at) => [at % 900, at % 300, at]);
  const body = JSON.stringify({ id: '1e400', photo: '9007199254740993 "', price: 1.5e300, strokes });
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  parseJson(body);
  // By a reviver it takes 50 times as long.
  expect(parse.mock.calls.map(([, ...more]) => more)).toEqual([[]]);
});

test('any body is parsed as by JSON.parse, but for its inexact numbers', () => {
  const name = fc.constantFrom('a', '__proto__', '1e400', 'a"b', '\\\\', 'é');
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom('1e400', '12345678901234567890', '\\"', '\\', '"1e400'),
      fc.string(),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(name, tie('value'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(value, fc.array(value, { maxLength: 3 }), (before, after) => {
      const text = JSON.stringify([before, 0, ...after]);
      expect(JSON.stringify(parseJson(text))).toBe(text);
      const from = JSON.stringify([before]).length - 1;
      const inexact = `${text.slice(0, from)},12345678901234567890${text.slice(from + 2)}`;
      const read = parseJson(inexact);
      expect(read).toEqual([
        JSON.parse(JSON.stringify(before)),
        new InexactNumber('12345678901234567890'),
        ...JSON.parse(JSON.stringify(after)),
      ]);
    }),
  );
});

test('a number that a later one of the same name replaces hides none', () => {
  expect(parseJson('{"a":1e400,"a":1,"b":1e400}')).toEqual({ a: 1, b: new InexactNumber('1e400') });
});
