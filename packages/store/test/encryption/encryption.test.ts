import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CannotDecrypt, createEncryption, type EncryptedPlace } from '../../src/encryption/encryption.ts';

const key = (id: string) => ({ id, key: randomBytes(32) });
const place: EncryptedPlace = {
  table: 'installation',
  column: 'account_encrypted',
  row: ['pool', 'standard'],
};

describe('encryption', () => {
  test('gives back any text, and never shows it or repeats itself', () => {
    const encryption = createEncryption([key('a')]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (plain) => {
        const encrypted = encryption.encrypt(place, plain);
        expect(encryption.decrypt(place, encrypted)).toBe(plain);
        expect(encryption.encrypt(place, plain)).not.toBe(encrypted);
        if (plain.length > 20) expect(encrypted).not.toContain(plain);
      }),
    );
  });

  test('refuses a value that stands in another row, column or table', () => {
    const encryption = createEncryption([key('a')]);
    const encrypted = encryption.encrypt(place, 'secret');
    const elsewhere: EncryptedPlace[] = [
      { ...place, row: ['pool', 'standard-query'] },
      { ...place, row: ['poolstandard'] },
      { ...place, column: 'other' },
      { ...place, table: 'webhook' },
    ];
    for (const wrong of elsewhere) expect(() => encryption.decrypt(wrong, encrypted)).toThrow(CannotDecrypt);
  });

  test('refuses a value in which any character was changed', () => {
    const encryption = createEncryption([key('a')]);
    const encrypted = encryption.encrypt(place, 'secret');
    const payloadAt = 'v1:a:'.length;
    fc.assert(
      fc.property(fc.integer({ min: payloadAt, max: encrypted.length - 4 }), (at) => {
        const changed = encrypted[at] === 'A' ? 'B' : 'A';
        const forged = encrypted.slice(0, at) + changed + encrypted.slice(at + 1);
        expect(() => encryption.decrypt(place, forged)).toThrow(CannotDecrypt);
      }),
    );
    expect(() => encryption.decrypt(place, 'v1:a:')).toThrow(CannotDecrypt);
    expect(() => encryption.decrypt(place, 'secret')).toThrow(/known encrypted form/);
  });

  test('opens what a former key encrypted, and encrypts with the first', () => {
    const [former, newer] = [key('former'), key('newer')];
    const encrypted = createEncryption([former]).encrypt(place, 'secret');
    const rotated = createEncryption([newer, former]);
    expect(rotated.decrypt(place, encrypted)).toBe('secret');
    const again = rotated.encrypt(place, 'secret');
    expect(again).toMatch(/^v1:newer:/);
    expect(() => createEncryption([former]).decrypt(place, again)).toThrow(
      /the key "newer", which is not among/,
    );
  });

  test('names the key when another one stands under its id, and shows none', () => {
    const right = key('a');
    const encrypted = createEncryption([right]).encrypt(place, 'secret');
    const wrong = key('a');
    const failure = () => createEncryption([wrong]).decrypt(place, encrypted);
    expect(failure).toThrow(/does not open with the key "a"/);
    expect(failure).not.toThrow(wrong.key.toString('base64'));
  });

  test.each([
    [[], /at least one/],
    [[{ id: 'a', key: randomBytes(16) }], /16 bytes, not 32/],
    [[key('a:b')], /not an encryption key id/],
    [[key('a'), key('a')], /two encryption keys with the id a/],
  ])('refuses keys that cannot serve', (keys, message) => {
    expect(() => createEncryption(keys)).toThrow(message);
  });
});
