import { readJson, type Tree, updateJson } from '@nx/devkit';

interface Reference {
  readonly path: string;
}

interface TypeScriptProject {
  readonly references: readonly Reference[];
}

/** Adds a reference after those of the other plugins. */
function withReference(references: readonly Reference[], path: string): Reference[] {
  const last = references.findLastIndex((one) => /(^|\/)plugins\//.test(one.path));
  return references.toSpliced(last + 1, 0, { path });
}

function refer(tree: Tree, file: string, path: string): void {
  updateJson<TypeScriptProject>(tree, file, (project) => ({
    ...project,
    references: withReference(project.references, path),
  }));
}

function inOrder(dependencies: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(dependencies).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** What all package.json files have in common. */
interface CommonFields {
  readonly author: string;
  readonly repository: Readonly<Record<string, string>>;
  readonly homepage: string;
  readonly bugs: object;
}

/** Registers a plugin with the compiler, the tests' type check, and the host. */
export function wirePlugin(tree: Tree, name: string): void {
  refer(tree, 'tsconfig.json', `plugins/${name}`);
  refer(tree, 'tsconfig.tests.json', `plugins/${name}`);
  refer(tree, 'apps/host/tsconfig.json', `../../plugins/${name}`);
  updateJson(tree, 'apps/host/package.json', (host) => ({
    ...host,
    dependencies: inOrder({ ...host.dependencies, [`@waiver-service/plugin-${name}`]: host.version }),
  }));
  const folder = `plugins/${name}`;
  const { author, repository, homepage, bugs } = readJson<CommonFields>(tree, 'package.json');
  updateJson(tree, `${folder}/package.json`, (plugin) => ({
    ...plugin,
    author,
    repository: { ...repository, directory: folder },
    homepage,
    bugs,
  }));
}
