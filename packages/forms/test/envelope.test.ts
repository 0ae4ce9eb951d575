import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CannotOpen, makeSealingKey, openEnvelope, sealEnvelope } from '../src/envelope/index.ts';

const key = await makeSealingKey('key-1');

test('what was sealed with the public half opens with the private one, whatever it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
      expect(await openEnvelope(key, await sealEnvelope(key, text))).toBe(text);
    }),
    { numRuns: 30 },
  );
  const long = 'Zoë ✍ '.repeat(300_000);
  expect(await openEnvelope(key, await sealEnvelope(key, long))).toBe(long);
});

test('no two envelopes are the same, and none shows its content', async () => {
  const [one, other] = await Promise.all([sealEnvelope(key, 'Zoë Bäcker'), sealEnvelope(key, 'Zoë Bäcker')]);
  expect(one).not.toBe(other);
  expect(Buffer.from(one, 'base64url').toString()).not.toContain('Zoë');
});

test('one that was changed anywhere does not open, nor with another key, nor under another id', async () => {
  const bytes = Buffer.from(await sealEnvelope(key, 'signed'), 'base64url');
  for (const at of [0, 1, 40, 66, 78, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    await expect(openEnvelope(key, changed.toString('base64url'))).rejects.toThrow(CannotOpen);
  }
  const envelope = bytes.toString('base64url');
  await expect(openEnvelope(await makeSealingKey('key-1'), envelope)).rejects.toThrow(CannotOpen);
  await expect(openEnvelope({ ...key, id: 'key-2' }, envelope)).rejects.toThrow('"key-2"');
  for (const broken of ['', 'AQ', '!', envelope.slice(0, 90)])
    await expect(openEnvelope(key, broken)).rejects.toThrow(CannotOpen);
});
