import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seal, unseal } from '../../src/backups/sealed-file.ts';
import { testKey } from '../setup/open-test-store.ts';

const chunk = 64 * 1024;
const sealedChunk = chunk + 16;
const key = testKey('k1');

async function* parts(content: Buffer, size = 10_000): AsyncGenerator<Buffer> {
  for (let start = 0; start < content.length; start += size) yield content.subarray(start, start + size);
}

async function whole(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const found: Buffer[] = [];
  for await (const part of source) found.push(part);
  return Buffer.concat(found);
}

const sealed = (content: Buffer) => whole(seal(parts(content), key));
const opened = (file: Buffer, keys = [key], size?: number) => whole(unseal(parts(file, size), keys));

test('what was sealed is opened, in whatever parts it is read', async () => {
  const length = fc.constantFrom(0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 3 * chunk + 17);
  await fc.assert(
    fc.asyncProperty(length, fc.integer({ min: 700, max: 200_000 }), async (bytes, size) => {
      const content = randomBytes(bytes);
      const file = await sealed(content);
      expect((await opened(file, [testKey('other'), key], size)).equals(content)).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test('two backups of the same content have nothing in common', async () => {
  const content = Buffer.alloc(1_000);
  const [one, other] = [await sealed(content), await sealed(content)];
  expect(one.subarray(-1_000).equals(other.subarray(-1_000))).toBe(false);
});

test('a file that is cut short anywhere is refused', async () => {
  const file = await sealed(randomBytes(3 * chunk));
  const header = file.indexOf('\n', file.indexOf('\n') + 1) + 1;
  // At the end of a chunk nothing but the missing last one tells.
  for (const end of [header, header + 10, header + sealedChunk, header + 2 * sealedChunk, file.length - 1])
    await expect(opened(file.subarray(0, end)), `${end}`).rejects.toThrow('ends too early');
  for (const end of [0, 10, 40])
    await expect(opened(file.subarray(0, end))).rejects.toThrow(/not a backup|is damaged/);
});

test('a file of which a byte was changed, a chunk left out, moved or appended, is refused', async () => {
  const file = await sealed(randomBytes(3 * chunk + 5));
  const header = file.indexOf('\n', file.indexOf('\n') + 1) + 1;
  const chunkAt = (index: number) =>
    file.subarray(header + index * sealedChunk, header + (index + 1) * sealedChunk);
  const start = file.subarray(0, header);
  const forgeries = [
    [start, chunkAt(1), chunkAt(0), chunkAt(2), chunkAt(3)],
    [start, chunkAt(0), chunkAt(2), chunkAt(3)],
    [start, chunkAt(0), chunkAt(1), chunkAt(2), chunkAt(3), chunkAt(3)],
    [file, Buffer.from('x')],
  ];
  for (const forgery of forgeries)
    await expect(opened(Buffer.concat(forgery))).rejects.toThrow(/damaged or changed|ends too early/);
  await fc.assert(
    fc.asyncProperty(fc.nat(file.length - 1), async (at) => {
      const changed = Buffer.from(file);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await expect(opened(changed)).rejects.toThrow(
        /damaged|changed|not a backup|not among|ends too early|of the form|has the form/,
      );
    }),
    { numRuns: 60 },
  );
});

test('a chunk of another backup is refused', async () => {
  const content = randomBytes(2 * chunk);
  const [one, other] = [await sealed(content), await sealed(content)];
  const header = one.indexOf('\n', one.indexOf('\n') + 1) + 1;
  const otherHeader = other.indexOf('\n', other.indexOf('\n') + 1) + 1;
  const mixed = Buffer.concat([one.subarray(0, header), other.subarray(otherHeader)]);
  await expect(opened(mixed)).rejects.toThrow('nothing of the file can be decrypted');
});

test('the key that is missing is named, and so is a form of another version', async () => {
  const file = await sealed(randomBytes(2_000));
  await expect(opened(file, [testKey('k2'), testKey('k3')])).rejects.toThrow(
    'the backup is encrypted with the key "k1", which is not among ENCRYPTION_KEYS (k2, k3)',
  );
  await expect(opened(file, [testKey('k1')])).rejects.toThrow('another key under the same id');
  const newer = Buffer.from(file.toString('latin1').replace('backup 1', 'backup 2'), 'latin1');
  await expect(opened(newer)).rejects.toThrow('restore it with the version that wrote it');
});
