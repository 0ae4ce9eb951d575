import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  firstHead,
  nextHead,
  type PathStep,
  partNames,
  pathTo,
  publicKeyText,
  rootOf,
  saltedEntry,
  sealRecord,
  signHead,
} from '../src/index.ts';
import { canonicalText } from '../src/seal.ts';

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

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const salt = () => '5a'.repeat(32);
const record = { core: { b: 1, a: 'ü' }, person: { name: '李' }, sensitive: null, ink: null, trace: null };

it('hashes each part with its name and salt, and the leaf over all of them', () => {
  const { leaf, parts } = sealRecord(record, salt);
  expect(parts.map(({ name }) => name)).toEqual(['core', 'person', 'sensitive', 'ink', 'trace']);
  expect(parts[0]).toEqual({
    name: 'core',
    salt: salt(),
    text: '{"a":"ü","b":1}',
    hash: sha256(`waiver-evidence/1 part core\n${salt()}\n{"a":"ü","b":1}`),
  });
  expect(leaf).toBe(sha256(`waiver-evidence/1 leaf\n${parts.map(({ hash }) => hash).join('\n')}`));
});

it('hashes the same content of two parts differently', () => {
  const { parts } = sealRecord(record, salt);
  expect(new Set(parts.map(({ hash }) => hash)).size).toBe(partNames.length);
});

it('takes a new salt of 32 bytes for each part of each record', () => {
  const salts = [...sealRecord(record).parts, ...sealRecord(record).parts].map((part) => part.salt);
  expect(new Set(salts).size).toBe(10);
  for (const each of salts) expect(each).toMatch(/^[0-9a-f]{64}$/);
});

it('salts a value beside the record', () => {
  expect(saltedEntry(['asthma', 'none'], salt)).toEqual({
    salt: salt(),
    text: '["asthma","none"]',
    hash: sha256(`waiver-evidence/1 entry\n${salt()}\n["asthma","none"]`),
  });
  expect(saltedEntry('yes').salt).toMatch(/^[0-9a-f]{64}$/);
  expect(saltedEntry('yes').hash).not.toBe(saltedEntry('yes').hash);
});

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

const entry = (head: string) => sha256(`waiver-evidence/1 root\n${head}`);
const node = (left: string, right: string) => sha256(`waiver-evidence/1 node\n${left}\n${right}`);
const walk = (head: string, steps: readonly PathStep[]) =>
  steps.reduce(
    (hash, step) => ('left' in step ? node(step.left, hash) : node(hash, step.right)),
    entry(head),
  );

const heads = Array.from({ length: 33 }, (_, index) => sha256(String(index)));

describe('root', () => {
  it('is over pairs; one without a neighbor rises', () => {
    const [a, b, c] = ['aa', 'bb', 'cc'];
    expect(rootOf(['aa'])).toBe(entry(a));
    expect(rootOf(['aa', 'bb'])).toBe(node(entry(a), entry(b)));
    expect(rootOf(['aa', 'bb', 'cc'])).toBe(node(node(entry(a), entry(b)), entry(c)));
  });

  it('differs for a list whose last head is repeated', () => {
    expect(rootOf(['aa', 'bb', 'cc', 'cc'])).not.toBe(rootOf(['aa', 'bb', 'cc']));
  });

  it('needs a head', () => {
    expect(() => rootOf([])).toThrow(RangeError);
  });
});

describe('path', () => {
  it.each(heads.map((_, index) => index + 1))('leads each of %i heads to the root', (count) => {
    const some = heads.slice(0, count);
    for (const [index, head] of some.entries()) {
      const steps = pathTo(some, index);
      expect(walk(head, steps)).toBe(rootOf(some));
      expect(steps.length).toBeLessThanOrEqual(Math.ceil(Math.log2(count)));
    }
  });

  it('needs a head at the index', () => {
    expect(() => pathTo(['aa'], 1)).toThrow('no head at 1 of 1');
  });
});
