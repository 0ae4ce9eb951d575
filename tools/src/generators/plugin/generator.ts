import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Tree } from '@nx/devkit';
import type { GeneratorOptions } from 'create-waiver-service-plugin';
import { finishPlugin } from './finish-plugin.ts';
import { wirePlugin } from './wire-plugin.ts';

// The host's fault tests are a test project too.
function takenNames(tree: Tree): Set<string> {
  const packages = ['packages', 'apps', 'plugins'].flatMap((parent) => tree.children(parent));
  return new Set([...packages, 'tools', 'bench', 'faults']);
}

/** The parts of `npm create waiver-service-plugin`, imported from source, since nothing may be built yet. */
function importCreation(root: string): Promise<typeof import('create-waiver-service-plugin')> {
  return import(pathToFileURL(join(root, 'packages/create-plugin/src/index.ts')).href);
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
