import { parseArgs } from 'node:util';

export const operatorUsage = `  waiver-service keys rotate       encrypts every secret anew by the first of ENCRYPTION_KEYS, while hosts run

It reads the settings of the host: run it with the same environment, in the same folder.`;

/** The line is wrong; the message says how. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';
}

export type OperatorCommand = { readonly kind: 'rotate-keys' } | { readonly kind: 'help' };

function parseLine(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    throw new CommandLineError(error instanceof Error ? error.message : String(error));
  }
}

/** @throws CommandLineError */
export function readCommand(args: readonly string[]): OperatorCommand {
  const { values, positionals } = parseLine(args);
  if (values.help) return { kind: 'help' };
  if (positionals.join(' ') === 'keys rotate') return { kind: 'rotate-keys' };
  throw new CommandLineError(
    `there is no command ${JSON.stringify(positionals.join(' '))}; there is:\n\n${operatorUsage}`,
  );
}
