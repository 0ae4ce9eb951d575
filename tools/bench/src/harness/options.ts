import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** Names of rows; all if empty. */
  readonly only: readonly string[];
  readonly list: boolean;
  readonly pairs: number;
}

/** An invalid command line. The message says what is valid. */
export class UsageError extends Error {
  override name = 'UsageError';
}

const usage = 'usage: npm run bench -- [--only ROW]… [--pairs N] [--list]';

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string', multiple: true, default: [] },
        list: { type: 'boolean', default: false },
        pairs: { type: 'string', default: '5' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
}

/** @throws UsageError */
export function readOptions(args: readonly string[], rowNames: readonly string[]): BenchOptions {
  const { only, list, pairs } = parse(args);
  const unknown = only.filter((name) => !rowNames.includes(name));
  if (unknown.length > 0) {
    throw new UsageError(`no row is named ${unknown.join(', ')}; the rows are: ${rowNames.join(', ')}`);
  }
  if (!/^[1-9]\d{0,2}$/.test(pairs)) {
    throw new UsageError(`--pairs takes a whole number from 1 to 999, not ${JSON.stringify(pairs)}`);
  }
  return { only, list, pairs: Number(pairs) };
}
