import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

/** The root of this repository. */
export const repository = join(import.meta.dirname, '../../..');

/** A program's exit status and output. */
export interface Ending {
  readonly status: number;
  readonly stdout: string;
  readonly output: string;
}

const execute = promisify(execFile);
const endedSchema = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });
const bin = join(repository, 'node_modules/.bin');
// Variables that npm and a test runner set for their own processes must not reach child processes.
const ofTheRunner =
  /^(npm_|NX_|VITEST|NODE_ENV$|NODE_OPTIONS$|TEST$|FORCE_COLOR$|BASE_URL$|DEV$|PROD$|MODE$|SSR$)/i;

function variables(own: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !ofTheRunner.test(name));
  return { ...Object.fromEntries(inherited), NO_COLOR: '1', CI: '1', ...own };
}

// The repository's programs come first on the path, including its Node.
const withPrograms = { PATH: `${bin}:${process.env.PATH}` };

/** Runs a program in a folder, with its own variables. A status other than 0 is a result, not an error. */
export async function runWith(
  own: Readonly<Record<string, string>>,
  folder: string,
  program: string,
  ...words: readonly string[]
): Promise<Ending> {
  try {
    const options = { cwd: folder, env: variables(own), maxBuffer: 2 ** 26 };
    const { stdout, stderr } = await execute(program, words, options);
    return { status: 0, stdout, output: `${stdout}${stderr}` };
  } catch (error) {
    const ended = endedSchema.safeParse(error);
    if (!ended.success) throw error;
    const { code, stdout, stderr } = ended.data;
    return { status: code, stdout, output: `${stdout}${stderr}` };
  }
}

/** Runs a program in a folder, with the repository's programs first on the path. */
export const runIn = (folder: string, program: string, ...words: readonly string[]): Promise<Ending> =>
  runWith(withPrograms, folder, program, ...words);
