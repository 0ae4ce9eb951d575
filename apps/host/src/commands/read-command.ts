import { parseArgs } from 'node:util';

export const operatorUsage = `  waiver-service doctor [--json]   says whether all is well; exit status 1 where something is not
  waiver-service backup <file>     writes the whole database to an encrypted file, while hosts run
  waiver-service restore <file>    loads a backup into an empty database
  waiver-service keys rotate       encrypts every secret anew by the first of ENCRYPTION_KEYS, while hosts run
  waiver-service pool move <pool> --to <cell> [--json]
                                   moves a pool to another cell, whose database TARGET_DATABASE_URL is; if it breaks off,
                                   run it again
  waiver-service pool move <pool> --cancel
                                   ends a move that broke off: the pool goes on here

They read the settings of the host: run them with the same environment, in the same folder.`;

/** The line is wrong; the message says how. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';
}

export type OperatorCommand =
  | { readonly kind: 'doctor'; readonly json: boolean }
  | { readonly kind: 'backup' | 'restore'; readonly file: string }
  | { readonly kind: 'rotate-keys' }
  | { readonly kind: 'move-pool'; readonly pool: string; readonly cell: string; readonly json: boolean }
  | { readonly kind: 'cancel-move'; readonly pool: string }
  | { readonly kind: 'help' };

function parseLine(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        to: { type: 'string' },
        cancel: { type: 'boolean' },
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

type Options = ReturnType<typeof parseLine>['values'];

function readMove(
  [pool, ...more]: readonly string[],
  { to, cancel, json = false }: Options,
): OperatorCommand {
  const isComplete =
    pool !== undefined && pool !== '' && more.length === 0 && (to === undefined) === (cancel === true);
  if (!isComplete) {
    throw new CommandLineError(
      'pool move takes the id of a pool, and --to <cell> or --cancel: waiver-service pool move <pool> --to <cell>',
    );
  }
  return to === undefined ? { kind: 'cancel-move', pool } : { kind: 'move-pool', pool, cell: to, json };
}

/** @throws CommandLineError */
export function readCommand(args: readonly string[]): OperatorCommand {
  const { values, positionals } = parseLine(args);
  if (values.help) return { kind: 'help' };
  const [name = '', ...rest] = positionals;
  if (name === 'pool' && rest[0] === 'move') return readMove(rest.slice(1), values);
  for (const option of ['to', 'cancel'] as const)
    if (values[option] !== undefined) throw new CommandLineError(`${name} takes no --${option}`);
  if (values.json && name !== 'doctor') throw new CommandLineError(`${name} takes no --json`);
  if (name === 'doctor' && rest.length === 0) return { kind: 'doctor', json: values.json ?? false };
  if (name === 'backup' || name === 'restore') return { kind: name, file: fileOf(name, rest) };
  if (name === 'keys' && rest.length === 1 && rest[0] === 'rotate') return { kind: 'rotate-keys' };
  throw new CommandLineError(
    `there is no command ${JSON.stringify(positionals.join(' '))}; there are:\n\n${operatorUsage}`,
  );
}
