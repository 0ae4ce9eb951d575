import { parseArgs } from 'node:util';

export const operatorUsage = `  waiver-service doctor [--json]   says whether all is well; exit status 1 where something is not
  waiver-service backup <file>     writes the whole database to an encrypted file, while hosts run
  waiver-service restore <file>    loads a backup into an empty database
  waiver-service keys rotate       re-encrypts every secret with the first of ENCRYPTION_KEYS, while hosts run

They read the settings of the host: run them with the same environment, in the same folder.`;

/** The command line is wrong; the message says why. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';
}

export type OperatorCommand =
  | { readonly kind: 'doctor'; readonly json: boolean }
  | { readonly kind: 'backup' | 'restore'; readonly file: string }
  | { readonly kind: 'rotate-keys' }
  | { readonly kind: 'help' };

function parseLine(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new CommandLineError(error instanceof Error ? error.message : String(error));
  }
}

function fileOf(kind: string, rest: readonly string[]): string {
  const [file, ...more] = rest;
  if (file === undefined || file === '' || more.length > 0)
    throw new CommandLineError(`${kind} takes the name of one file: waiver-service ${kind} <file>`);
  return file;
}

/** @throws CommandLineError */
export function readCommand(args: readonly string[]): OperatorCommand {
  const { values, positionals } = parseLine(args);
  if (values.help) return { kind: 'help' };
  const [name = '', ...rest] = positionals;
  if (values.json && name !== 'doctor') throw new CommandLineError(`${name} takes no --json`);
  if (name === 'doctor' && rest.length === 0) return { kind: 'doctor', json: values.json ?? false };
  if (name === 'backup' || name === 'restore') return { kind: name, file: fileOf(name, rest) };
  if (name === 'keys' && rest.length === 1 && rest[0] === 'rotate') return { kind: 'rotate-keys' };
  throw new CommandLineError(
    `there is no command ${JSON.stringify(positionals.join(' '))}; there are:\n\n${operatorUsage}`,
  );
}
