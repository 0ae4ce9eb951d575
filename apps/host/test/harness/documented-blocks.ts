import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The pages whose curl commands are all run, in an order that lets each one succeed. */
export const pagesWithCurl: readonly string[] = [
  'docs/admin-api.md',
  'docs/http-api.md',
  'docs/operating.md',
  'docs/console.md',
];

const root = join(import.meta.dirname, '../../../..');
const run = promisify(execFile);

/** A part of a page that people run: a block of commands, or of settings of a program. */
interface DocumentedBlock {
  readonly language: string;
  readonly text: string;
}

const commandLanguages = new Set(['sh', 'sql', '']);

/** The runnable blocks of a page, by its path in the repository. */
export function blocksOf(page: string): DocumentedBlock[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```/gm)]
    .map(([, indent = '', language = '', block = '']) => ({
      language,
      text: block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }))
    .filter(({ language }) => commandLanguages.has(language));
}

/**
 * The block of a page that begins so: for a test that runs it as it is there.
 *
 * @throws where there is none, or several
 */
export function documentedBlock(page: string, beginning: string): string {
  const [block, ...others] = blocksOf(page).filter(({ text }) => text.startsWith(beginning));
  if (block === undefined || others.length > 0)
    throw new Error(
      `${page} has ${others.length + (block === undefined ? 0 : 1)} blocks that begin with ${beginning}`,
    );
  return block.text;
}

/** Runs commands as an operator's shell does. @returns what they printed */
export async function runInShell(
  commands: string,
  { cwd = root, env = {} }: { cwd?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  const { stdout } = await run('bash', ['-euc', commands], { cwd, env: { PATH, HOME, ...env } });
  return stdout;
}

/** Runs commands that set variables. @returns the variables of these names */
export async function variablesOf<Name extends string>(
  commands: string,
  names: readonly Name[],
  options?: { cwd?: string; env?: Readonly<Record<string, string>> },
): Promise<Record<Name, string>> {
  const printed = await runInShell(
    [commands, ...names.map((name) => `printf '%s\\n' "$${name}"`)].join('\n'),
    options,
  );
  const lines = printed.trimEnd().split('\n').slice(-names.length);
  return Object.fromEntries(names.map((name, index) => [name, lines[index] ?? ''])) as Record<Name, string>;
}
