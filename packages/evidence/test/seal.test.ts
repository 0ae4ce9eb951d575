import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { partNames, saltedEntry, sealRecord } from '../src/index.ts';

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
