import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readJson, type Tree, updateJson } from '@nx/devkit';
import type { GeneratorOptions } from 'create-waiver-service-plugin';

// The host's fault tests are a test project too.
function takenNames(tree: Tree): Set<string> {
  const packages = ['packages', 'apps', 'plugins'].flatMap((parent) => tree.children(parent));
  return new Set([...packages, 'tools', 'bench', 'faults']);
}

/** The parts of `npm create waiver-service-plugin`, imported from source, since nothing may be built yet. */
function importCreation(root: string): Promise<typeof import('create-waiver-service-plugin')> {
  return import(pathToFileURL(join(root, 'packages/create-plugin/src/index.ts')).href);
}

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
function wirePlugin(tree: Tree, name: string): void {
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

/** Formats the new files, updates the table of all plugins, and prints the next steps. */
function finishPlugin(root: string, folder: string, written: readonly string[]): void {
  const run = (...words: string[]) =>
    execFileSync(process.execPath, words, {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  run(join(root, 'node_modules/@biomejs/biome/bin/biome'), 'check', '--write', ...written);
  // Runs from source, since nothing may be built yet.
  const writePages = join(root, 'tools/src/checks/write-pages.ts');
  run('--conditions=@waiver-service/source', writePages, 'booking-systems');
  console.log(`\n${folder} is there. Run this next, so that the host finds it:\n`);
  console.log('  npm install\n');
  console.log(`Its tests: npx vitest run plugins/${basename(folder)}/`);
}

/**
 * Creates a booking system's plugin, which passes the contract suite, and adds it to the workspace. Returns a callback
 * that Nx runs once the files are written.
 * @throws Error whose message says what to change
 */
export default async function generatePlugin(tree: Tree, options: GeneratorOptions): Promise<() => void> {
  const { completeOptions, renderPlugin, resolveOptions } = await importCreation(tree.root);
  const choices = resolveOptions(await completeOptions(options), takenNames(tree));
  const folder = `plugins/${choices.name}`;
  for (const [path, text] of renderPlugin(choices, 'workspace')) tree.write(join(folder, path), text);
  wirePlugin(tree, choices.name);
  const written = tree.listChanges().map(({ path }) => path);
  return () => finishPlugin(tree.root, folder, written);
}
