import { expect, it } from 'vitest';
import { canonicalText } from '../src/canonical-text.ts';

it('writes names in order, without spaces, and characters as they are', () => {
  expect(canonicalText({ b: [1, null, true, ''], a: { ß: 'é€😀\n"', A: -0 } })).toBe(
    '{"a":{"A":0,"ß":"é€😀\\n\\""},"b":[1,null,true,""]}',
  );
});

it('sorts names by UTF-16 code units, as RFC 8785 does', () => {
  expect(canonicalText({ '\ufb33': 1, '😀': 2, '€': 3 })).toBe('{"€":3,"😀":2,"\ufb33":1}');
});

it.each([
  [{ a: { b: [0, 0.5] } }, 'a.b[1] is 0.5, not a whole number'],
  [{ a: 2 ** 53 }, 'a is 9007199254740992, not a whole number'],
  [{ a: Number.NaN }, 'a is NaN, not a whole number'],
  [{ a: Number.POSITIVE_INFINITY }, 'a is Infinity, not a whole number'],
  [{ a: { b: undefined } }, 'a.b is undefined'],
  [[1, undefined], '[1] is undefined'],
  [new Array(2), '[0] is undefined'],
  [undefined, 'the value is undefined'],
  [{ a: '\ud83d' }, 'a has half a character (a lone surrogate)'],
  [{ a: { '\ude00': 1 } }, 'a has a name with half a character (a lone surrogate)'],
  [{ '\ude00': 1 }, 'the value has a name with half a character (a lone surrogate)'],
  [{ a: 1n }, 'a is a bigint'],
  [{ a: () => 1 }, 'a is a function'],
  [{ a: Symbol('b') }, 'a is a symbol'],
  [{ at: new Date(0) }, 'at is not a plain object'],
  [{ a: new Map() }, 'a is not a plain object'],
])('refuses %o, and says where', (value, message) => {
  expect(() => canonicalText(value)).toThrow(new TypeError(`${message}, which cannot be sealed`));
});

it('takes an object without a prototype', () => {
  expect(canonicalText(Object.assign(Object.create(null), { a: 1 }))).toBe('{"a":1}');
});
