import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { publishedPackages } from '../../src/checks/manifests.ts';
import { readWorkspace } from '../../src/checks/workspace.ts';
import { type OutsidePlace, openOutsidePlace, repository } from '../../src/outside/outside-place.ts';

/** The folders of the published packages. */
const published = [
  'packages/core',
  'packages/outbound',
  'packages/plugin-kit',
  'packages/contract-check',
  'packages/evidence',
  'packages/contract-suite',
  'packages/simulator',
  'packages/create-plugin',
  'apps/partner-check',
];

const packageFileSchema = z.looseObject({
  name: z.string(),
  license: z.literal('MIT'),
  engines: z.object({ node: z.string() }),
  exports: z.record(z.string(), z.record(z.string(), z.string())).default({}),
  bin: z
    .union([
      z.string().transform((path) => [path]),
      z.record(z.string(), z.string()).transform(Object.values),
    ])
    .default([]),
  private: z.undefined().optional(),
});

// Enough on a busy machine.
const patience = 180_000;

let place: OutsidePlace;
beforeAll(async () => {
  place = await openOutsidePlace();
}, patience);
afterAll(() => place.close());

test('a release publishes these packages, and no others', () => {
  const folders = publishedPackages(readWorkspace(repository)).map(({ folder }) => folder);
  expect(folders.toSorted()).toEqual(published.toSorted());
});

describe.each(published)('the package of %s', (folder) => {
  const packed = () => {
    const found = place.packages.find((one) => one.folder === folder);
    if (found === undefined) throw new Error(`${folder} was not packed`);
    return found;
  };
  const tarball = () => new Uint8Array(readFileSync(packed().tarball));
  const packageFile = () => packageFileSchema.parse(packed().manifest);

  test('has nothing that publint would warn of', async () => {
    const { messages, pkg } = await publint({ strict: true, pack: { tarball: tarball().buffer } });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test('has types for its importers', async (context) => {
    if (Object.keys(packageFile().exports).length === 0) return context.skip('it only has commands');
    const analysis = await checkPackage(createPackageFromTarballData(tarball()));
    const problems = analysis.types ? analysis.problems : [];
    // Every Node.js of `engines` supports `exports` and ES modules, so older ways of resolution do not count.
    const older = new Set(['node10', 'node16-cjs']);
    const found = problems.filter((one) => !('resolutionKind' in one && older.has(one.resolutionKind)));
    expect([analysis.types !== false, found]).toEqual([true, []]);
  });

  test('holds each file that its exports and commands name, the condition of this repository included', () => {
    const { exports, bin } = packageFile();
    const targets = [...Object.values(exports).flatMap((entry) => Object.values(entry)), ...bin];
    expect(targets.length).toBeGreaterThanOrEqual(1);
    expect(packed().files).toEqual(expect.arrayContaining(targets.map((target) => target.replace('./', ''))));
  });

  test('holds what its users need, README and licence among it, and nothing else', () => {
    const others = packed().files.filter(
      (path) => !/^(src|dist|bin|templates)\/|^(package\.json|README\.md|LICENSE)$/.test(path),
    );
    expect(others).toEqual([]);
    expect(packed().files).toEqual(expect.arrayContaining(['README.md', 'LICENSE']));
    expect(readFileSync(join(repository, folder, 'LICENSE'), 'utf8')).toBe(
      readFileSync(join(repository, 'LICENSE'), 'utf8'),
    );
  });
});
