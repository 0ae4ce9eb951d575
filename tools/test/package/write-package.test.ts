import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writePackage } from '../../src/package/write-package.ts';

const root = join(import.meta.dirname, '../../..');

test('a folder with anything but a former package is left as it is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waiver-service-package-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'waivers.backup'), 'the only one');
  await expect(writePackage(root, folder)).rejects.toThrow(`${folder} is not empty and holds no package`);
  expect(await readdir(folder)).toEqual(['waivers.backup']);
});
