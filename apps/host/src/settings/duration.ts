import { z } from 'zod';

const millisecondsOf: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** The longest duration a setting may have. */
export const longestDuration = 365 * 86_400_000;

/**
 * Reads a duration such as `500ms`, `10s`, `5m`, `24h` or `30d`.
 * @returns milliseconds; `undefined` where the text is not a duration or is longer than a year
 */
export function readDuration(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,12})(ms|s|m|h|d)$/.exec(text) ?? [];
  const milliseconds = Number(digits) * (millisecondsOf[unit] ?? Number.NaN);
  return milliseconds <= longestDuration ? milliseconds : undefined;
}

/** A duration of at least `least` and at most `most` milliseconds; reads as milliseconds. */
export function durationSchema(least: number, most = longestDuration) {
  return z.string().transform((text, context) => {
    const milliseconds = readDuration(text);
    if (milliseconds !== undefined && milliseconds >= least && milliseconds <= most) return milliseconds;
    context.addIssue({
      code: 'custom',
      message: `is ${JSON.stringify(text)}: it must be a duration from ${least}ms to ${most / 1000}s, written as 500ms, 10s, 5m, 24h or 30d`,
    });
    return z.NEVER;
  });
}
