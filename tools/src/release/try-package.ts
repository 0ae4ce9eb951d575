import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { OutsidePlace } from '../outside/outside-place.ts';
import type { PackedPackage } from '../outside/pack-packages.ts';

const block = /(?:^<!-- ts:((?:(?!-->)[\s\S])*)-->\s*)?^```(ts|sh)\n([\s\S]*?)^```$/m;

/** A README's first example, as a program of Node or of a shell. */
interface Example {
  readonly language: 'ts' | 'sh';
  readonly text: string;
}

/**
 * A README's first example, if it can run by itself. Of one that needs what the comment before it declares, the imports.
 * Of commands, those that create something: others need a server.
 */
export function exampleOf(readme: string): Example | undefined {
  const [, declared, language, text = ''] = block.exec(readme) ?? [];
  if (language === 'sh') return text.startsWith('npm create ') ? { language, text } : undefined;
  // An example of a test imports the plugin that it tests.
  if (language !== 'ts' || text.includes("from '../")) return undefined;
  if (declared === undefined) return { language, text };
  return { language, text: [...text.matchAll(/^import [\s\S]*?;$/gm)].join('\n') };
}

const manifestSchema = z.object({
  bin: z.union([z.string(), z.record(z.string(), z.string())]).default({}),
});

const commandsOf = ({ name, manifest }: PackedPackage): string[] => {
  const { bin } = manifestSchema.parse(manifest);
  return typeof bin === 'string' ? [name] : Object.keys(bin);
};

/**
 * Installs a package into an empty project and runs its README's first example, and each of its commands with `--help`.
 * @param source - the package's folder, with its README
 * @returns a sentence with the commands that were run
 * @throws Error with the output of the first that fails
 */
export async function tryPackage(
  place: OutsidePlace,
  packed: PackedPackage,
  source: string,
): Promise<string> {
  const folder = place.folder(packed.folder.replaceAll('/', '-'));
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  const example = exampleOf(readFileSync(join(source, 'README.md'), 'utf8'));
  if (example?.language === 'ts') writeFileSync(join(folder, 'example.ts'), example.text);
  const commands = [
    `npm install ${packed.name}`,
    ...commandsOf(packed).map((command) => `npx --no-install ${command} --help`),
    ...(example === undefined ? [] : [example.language === 'ts' ? 'node example.ts' : example.text]),
  ];
  for (const command of commands) {
    const { status, output } = await place.run(folder, ['sh', '-euc', command]);
    if (status !== 0) throw new Error(`${packed.name}: ${command} ended with status ${status}\n${output}`);
  }
  return `${packed.name}: ${commands.map((command) => command.trim().replaceAll('\n', '; ')).join('; ')}`;
}
