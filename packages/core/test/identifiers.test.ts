import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accountIdSchema,
  bookingGuestIdSchema,
  bookingIdSchema,
  installNameSchema,
  isStorableText,
  poolIdSchema,
  waiverIdSchema,
} from '../src/index.ts';

describe('a waiver id', () => {
  it.each([
    ['256 bytes', 'a'.repeat(256)],
    ['256 bytes of two-byte characters', 'é'.repeat(128)],
    ['characters that are special in a URL', '/?#%+ &=..'],
    ['an emoji', '🛶'],
    ['three dots', '...'],
  ])('may be %s', (_, id) => {
    expect(waiverIdSchema.parse(id)).toBe(id);
  });

  it.each([
    ['nothing', '', /empty/],
    ['257 bytes', 'a'.repeat(257), /longer than 256 bytes/],
    ['129 two-byte characters', 'é'.repeat(129), /longer than 256 bytes/],
    ['U+0000', 'a\u0000b', /cannot be stored/],
    ['half a surrogate pair', 'a\ud83d', /cannot be stored/],
    ['one dot', '.', /may not be/],
    ['two dots', '..', /may not be/],
  ])('may not be %s', (_, id, reason) => {
    expect(waiverIdSchema.safeParse(id).error?.issues[0]?.message).toMatch(reason);
  });

  it('is measured in bytes, whatever the characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }), (id) => {
        fc.pre(id !== '.' && id !== '..' && !id.includes('\u0000'));
        expect(waiverIdSchema.safeParse(id).success).toBe(Buffer.byteLength(id) <= 256);
      }),
    );
  });
});

describe('another id', () => {
  it.each([
    ['a pool id', poolIdSchema, 128],
    ['a booking id', bookingIdSchema, 256],
    ['a booking guest id', bookingGuestIdSchema, 256],
  ])('%s has its own limit, stated in the message', (name, schema, maxBytes) => {
    expect(schema.parse('é'.repeat(maxBytes / 2))).toHaveLength(maxBytes / 2);
    expect(schema.safeParse(`${'é'.repeat(maxBytes / 2)}a`).error?.issues[0]?.message).toBe(
      `${name} is longer than ${maxBytes} bytes of UTF-8`,
    );
    for (const id of ['', '.', '..', 'a\u0000', '\ud83d']) {
      expect(schema.safeParse(id).error?.issues[0]?.message).toContain(name);
    }
  });
});

describe('an install name', () => {
  it.each(['ab', 'standard-query', 'x9', `a${'b'.repeat(62)}`])('may be %s', (name) => {
    expect(installNameSchema.safeParse(name).success).toBe(true);
  });
  it.each(['a', '9a', 'Standard', 'a_b', '', `a${'b'.repeat(63)}`, '../etc', ' ab', 'ab ', 'ab\ncd'])(
    'may not be %j',
    (name) => {
      expect(installNameSchema.safeParse(name).success).toBe(false);
    },
  );
});

describe('an account id', () => {
  it.each(['shop-1', '12345', 'é'.repeat(256), 12345, 0, -1, 1.5, 2 ** 53 - 1])(
    '%j keeps its JSON type',
    (id) => {
      expect(accountIdSchema.parse(id)).toBe(id);
    },
  );
  it.each([2 ** 53, 1e300, Number.POSITIVE_INFINITY, '', true, null, 'a'.repeat(257), 'a\u0000'])(
    '%j is refused',
    (id) => {
      expect(accountIdSchema.safeParse(id).success).toBe(false);
    },
  );
});

it('the message about an unsafe integer as account id says to send a string', () => {
  expect(JSON.stringify(accountIdSchema.safeParse(2 ** 53).error?.issues)).toContain('send it as a string');
});

it.each([
  ['', true],
  ['Zoë 🛶', true],
  ['a\u0000', false],
  ['a\ud800', false],
  ['\udc00', false],
])('whether %j can be stored: %s', (text, expected) => {
  expect(isStorableText(text)).toBe(expected);
});
