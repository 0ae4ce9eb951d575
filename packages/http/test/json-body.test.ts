import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HttpProblem } from '../src/answers/problems.ts';
import { findUnstorable, maxNesting, readJsonBody } from '../src/app/request-data.ts';

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
