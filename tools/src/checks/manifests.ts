import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Workspace, WorkspacePackage } from './workspace.ts';

const names = z.record(z.string(), z.string()).default({});
const manifestSchema = z.object({
  version: z.string(),
  author: z.string().optional(),
  repository: z.record(z.string(), z.string()).default({}),
  homepage: z.string().optional(),
  bugs: z.object({ url: z.string() }).optional(),
  publishConfig: z.object({ access: z.string() }).optional(),
  dependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
  devDependencies: names,
});

const readManifest = (root: string, folder: string) =>
  manifestSchema.parse(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')));

/** The packages that a release publishes: those whose `publishConfig` says so. */
export function publishedPackages({ root, packages }: Workspace): WorkspacePackage[] {
  return packages.filter(({ folder }) => readManifest(root, folder).publishConfig?.access === 'public');
}

/**
 * Differences between package.json files in what they have in common: the version, the authors and the addresses. And
 * published packages that could not be installed, because they depend on one that is not published.
 */
export function findManifestProblems(workspace: Workspace): string[] {
  const { root, packages } = workspace;
  const common = readManifest(root, '.');
  const own = new Set(packages.map(({ name }) => name));
  const published = new Set(publishedPackages(workspace).map(({ name }) => name));
  return packages.flatMap(({ folder, name }) => {
    const manifest = readManifest(root, folder);
    const expected = { ...common, repository: { ...common.repository, directory: folder } };
    const differing = (['version', 'author', 'repository', 'homepage', 'bugs'] as const).filter(
      (key) => !isDeepStrictEqual(manifest[key], expected[key]),
    );
    const { dependencies, optionalDependencies, peerDependencies, devDependencies } = manifest;
    const installed = { ...dependencies, ...optionalDependencies };
    const others = Object.entries({ ...installed, ...peerDependencies, ...devDependencies });
    return [
      ...differing.map(
        (key) => `${folder}/package.json: ${key} must be ${JSON.stringify(expected[key])}, as everywhere`,
      ),
      ...others
        .filter(([other, range]) => own.has(other) && range !== common.version)
        .map(([other]) => `${folder}/package.json: needs ${other} in exactly the version ${common.version}`),
      ...Object.keys(installed)
        .filter((other) => published.has(name) && own.has(other) && !published.has(other))
        .map((other) => `${folder}/package.json: is published, but depends on ${other}, which is not`),
    ];
  });
}
