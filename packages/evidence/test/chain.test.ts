import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { firstHead, nextHead, publicKeyText, signHead } from '../src/index.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

it('begins with the pool, and counts and hashes each leaf', () => {
  const first = firstHead('rafting');
  expect(first).toEqual({ sequence: 0, head: sha256('waiver-evidence/1 pool\nrafting') });
  const second = nextHead(nextHead(first, 'aa'), 'bb');
  const one = sha256(`waiver-evidence/1 head\n1\n${first.head}\naa`);
  expect(second).toEqual({ sequence: 2, head: sha256(`waiver-evidence/1 head\n2\n${one}\nbb`) });
});

it('signs a head with its pool, its number and the time', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const at = new Date('2026-11-24T10:00:00.123Z');
  const signed = signHead('rafting', { sequence: 7, head: 'ab' }, at, privateKey);
  expect(signed.at).toBe('2026-11-24T10:00:00.123Z');
  const message =
    '{"at":"2026-11-24T10:00:00.123Z","format":"waiver-evidence/1","head":"ab","pool":"rafting","sequence":7}';
  const pem = publicKeyText(privateKey);
  expect(pem).toMatch(/^-----BEGIN PUBLIC KEY-----\n[^\n]{60}\n-----END PUBLIC KEY-----\n$/);
  expect(publicKeyText(publicKey)).toBe(pem);
  expect(verify(null, Buffer.from(message), createPublicKey(pem), Buffer.from(signed.signature, 'hex'))).toBe(
    true,
  );
});
