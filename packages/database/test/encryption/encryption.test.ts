import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CannotDecrypt, createEncryption, type ValueLocation } from '../../src/encryption/encryption.ts';

const key = (id: string) => ({ id, key: randomBytes(32) });
const location: ValueLocation = {
  table: 'installation',
  column: 'account_encrypted',
  row: ['pool', 'standard'],
};

describe('encryption', () => {
  test('decrypts any text that it encrypted, without showing it or repeating itself', () => {
    const encryption = createEncryption([key('a')]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (plain) => {
        const encrypted = encryption.encrypt(location, plain);
        expect(encryption.decrypt(location, encrypted)).toBe(plain);
        expect(encryption.encrypt(location, plain)).not.toBe(encrypted);
        if (plain.length > 20) expect(encrypted).not.toContain(plain);
      }),
      { numRuns: 30 },
    );
  });

  test('rejects a value moved to another row, column or table', () => {
    const encryption = createEncryption([key('a')]);
    const encrypted = encryption.encrypt(location, 'secret');
    const elsewhere: ValueLocation[] = [
      { ...location, row: ['pool', 'standard-query'] },
      { ...location, row: ['poolstandard'] },
      { ...location, column: 'other' },
      { ...location, table: 'webhook' },
    ];
    for (const wrong of elsewhere) expect(() => encryption.decrypt(wrong, encrypted)).toThrow(CannotDecrypt);
  });

  test('rejects a value in which any character was changed', () => {
    const encryption = createEncryption([key('a')]);
    const encrypted = encryption.encrypt(location, 'secret');
    const payloadAt = 'v1:a:'.length;
    fc.assert(
      fc.property(fc.integer({ min: payloadAt, max: encrypted.length - 4 }), (at) => {
        const changed = encrypted[at] === 'A' ? 'B' : 'A';
        const forged = encrypted.slice(0, at) + changed + encrypted.slice(at + 1);
        expect(() => encryption.decrypt(location, forged)).toThrow(CannotDecrypt);
      }),
    );
    expect(() => encryption.decrypt(location, 'v1:a:')).toThrow(CannotDecrypt);
    expect(() => encryption.decrypt(location, 'secret')).toThrow(/known encrypted form/);
  });

  test('decrypts with former keys, and encrypts with the first', () => {
    const former = key('former');
    const newer = key('newer');
    const encrypted = createEncryption([former]).encrypt(location, 'secret');
    const rotated = createEncryption([newer, former]);
    expect(rotated.decrypt(location, encrypted)).toBe('secret');
    const again = rotated.encrypt(location, 'secret');
    expect(again).toMatch(/^v1:newer:/);
    expect(() => createEncryption([former]).decrypt(location, again)).toThrow(
      /the key "newer", which is not among/,
    );
  });

  test('names the key id if the key under it is another one, and shows no key', () => {
    const right = key('a');
    const encrypted = createEncryption([right]).encrypt(location, 'secret');
    const wrong = key('a');
    const failure = () => createEncryption([wrong]).decrypt(location, encrypted);
    expect(failure).toThrow(/does not open with the key "a"/);
    expect(failure).not.toThrow(wrong.key.toString('base64'));
  });

  test.each([
    [[], /at least one/],
    [[{ id: 'a', key: randomBytes(16) }], /16 bytes, not 32/],
    [[key('a:b')], /not an encryption key id/],
    [[key('a'), key('a')], /two encryption keys with the id a/],
  ])('rejects invalid keys', (keys, message) => {
    expect(() => createEncryption(keys)).toThrow(message);
  });
});
