import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { seal, unseal } from '../src/data/sealed-file.ts';

const testKey = (id: string) => ({ id, key: randomBytes(32) });
const key = testKey('k1');
const folder = mkdtempSync(join(tmpdir(), 'waiver-sealed-'));
const path = join(folder, 'file');
afterAll(() => rmSync(folder, { recursive: true }));

async function* cut(content: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < content.length; start += size) yield content.subarray(start, start + size);
}

async function collect(source: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const found: Buffer[] = [];
  for await (const part of source) found.push(part);
  return found;
}

const sealed = async (content: Buffer, size = 1_000) => collect(seal(cut(content, size), key));

async function opened(content: Buffer): Promise<Buffer[]> {
  writeFileSync(path, content);
  const file = await open(path);
  return collect(unseal(file, [key])).finally(() => file.close());
}

test('chunks come out as they went in, whatever the sizes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(50_000), fc.integer({ min: 100, max: 60_000 }), async (bytes, size) => {
      const content = randomBytes(bytes);
      const file = Buffer.concat(await sealed(content, size));
      expect(Buffer.concat(await opened(file)).equals(content)).toBe(true);
    }),
    { numRuns: 10 },
  );
});

test('a file is refused that was changed, cut short, lengthened, or has chunks that were moved', async () => {
  const [header, first, second, ...rest] = await sealed(randomBytes(4_000));
  if (header === undefined || first === undefined || second === undefined) throw new Error('no chunks');
  const file = Buffer.concat([header, first, second, ...rest]);
  const refused = (changed: Buffer) =>
    expect(opened(changed)).rejects.toThrow(
      /damaged|changed|not a backup|not among|too early|the form|goes on/,
    );
  await fc.assert(
    fc.asyncProperty(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flipped) => {
      const changed = Buffer.from(file);
      changed[at] = (changed[at] ?? 0) ^ flipped;
      await refused(changed);
      await refused(file.subarray(0, at));
    }),
    { numRuns: 200 },
  );
  await refused(Buffer.concat([file, Buffer.from('x')]));
  await refused(Buffer.concat([header, second, first, ...rest]));
  await refused(Buffer.concat([header, first, ...rest]));
  const [, foreign = Buffer.alloc(0)] = await sealed(randomBytes(4_000));
  await refused(Buffer.concat([header, foreign, second, ...rest]));
});

test('a backup of a later form says that it needs a later version', async () => {
  const file = Buffer.concat(await sealed(randomBytes(10)));
  const later = Buffer.from(file.toString('latin1').replace('backup 1', 'backup 2'), 'latin1');
  await expect(opened(later)).rejects.toThrow('has the form 2: restore it with the version that wrote it');
});
