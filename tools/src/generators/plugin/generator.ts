import { join } from 'node:path';
import { generateFiles, readJson, type Tree } from '@nx/devkit';
import { finishPlugin } from './finish-plugin.ts';
import { type GeneratorOptions, type PluginChoices, resolveOptions } from './options.ts';
import { wirePlugin } from './wire-plugin.ts';

const templates = join(import.meta.dirname, 'templates');
const folderOf = (name: string) => `plugins/${name}`;

// The host's fault tests are a test project too.
function takenNames(tree: Tree): Set<string> {
  const packages = ['packages', 'apps', 'plugins'].flatMap((parent) => tree.children(parent));
  return new Set([...packages, 'tools', 'bench', 'faults']);
}

function writeFiles(tree: Tree, choices: PluginChoices): void {
  const kit = readJson(tree, 'packages/plugin-kit/package.json');
  const folder = folderOf(choices.name);
  const words = {
    ...choices,
    version: kit.version,
    zodRange: kit.dependencies.zod,
    quoted: (text: unknown) => JSON.stringify(text),
  };
  for (const part of ['every', choices.native ? 'native' : 'contract']) {
    generateFiles(tree, join(templates, part), folder, words);
  }
  if (choices.native) return;
  for (const form of choices.forms) {
    generateFiles(tree, join(templates, 'forms', form), `${folder}/fixtures`, words);
  }
}

/**
 * Creates the plugin of a booking system, which passes the contract suite, and adds it to the workspace. Returns a
 * callback that Nx runs once the files are written.
 * @throws Error whose message says what to change
 */
export default async function generatePlugin(tree: Tree, options: GeneratorOptions): Promise<() => void> {
  const choices = resolveOptions(options, takenNames(tree));
  writeFiles(tree, choices);
  wirePlugin(tree, choices.name);
  const written = tree.listChanges().map(({ path }) => path);
  return () => finishPlugin(tree.root, folderOf(choices.name), written);
}
