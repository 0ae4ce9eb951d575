import { parseArgs } from 'node:util';
import { UsageError } from '../harness/options.ts';

export interface SoakOptions {
  readonly minutes: number;
  /** Waiver changes per second; `undefined`: half of what one host can handle, which is measured first. */
  readonly rate: number | undefined;
  /** Path of a file to write the samples to. */
  readonly json: string | undefined;
}

const usage = 'usage: npm run soak -- [--minutes N] [--rate CHANGES_PER_SECOND] [--json FILE]';

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        minutes: { type: 'string', default: '60' },
        rate: { type: 'string' },
        json: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
}

function wholeNumber(name: string, text: string, [least, most]: readonly [number, number]): number {
  const value = Number(text);
  if (/^\d{1,6}$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(
    `--${name} takes a whole number from ${least} to ${most}, not ${JSON.stringify(text)}\n${usage}`,
  );
}

/** @throws UsageError */
export function readSoakOptions(args: readonly string[]): SoakOptions {
  const { minutes, rate, json } = parse(args);
  return {
    minutes: wholeNumber('minutes', minutes, [3, 10_000]),
    rate: rate === undefined ? undefined : wholeNumber('rate', rate, [3, 100_000]),
    json,
  };
}
