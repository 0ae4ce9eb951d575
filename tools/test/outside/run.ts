import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

/** The top folder of this repository. */
export const repository = join(import.meta.dirname, '../../..');

/** How a program ended, and all that it said. */
export interface Ending {
  readonly status: number;
  readonly stdout: string;
  readonly output: string;
}

const execute = promisify(execFile);
const endedSchema = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });
const bin = join(repository, 'node_modules/.bin');
// Variables that a test runner sets for its own processes must not reach a runner inside a test.
const ofTheRunner = /^(VITEST|NODE_ENV$|NODE_OPTIONS$|TEST$|FORCE_COLOR$|BASE_URL$|DEV$|PROD$|MODE$|SSR$)/;

// The repository's programs come first on the path, its Node among them.
function variables(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !ofTheRunner.test(name));
  return { ...Object.fromEntries(inherited), PATH: `${bin}:${process.env.PATH}`, NO_COLOR: '1', CI: '1' };
}

/** Runs a program in a folder. One that ends with another status than 0 is an answer too. */
export async function runIn(folder: string, program: string, ...words: string[]): Promise<Ending> {
  try {
    const options = { cwd: folder, env: variables(), maxBuffer: 2 ** 26 };
    const { stdout, stderr } = await execute(program, words, options);
    return { status: 0, stdout, output: `${stdout}${stderr}` };
  } catch (error) {
    const ended = endedSchema.safeParse(error);
    if (!ended.success) throw error;
    const { code, stdout, stderr } = ended.data;
    return { status: code, stdout, output: `${stdout}${stderr}` };
  }
}
