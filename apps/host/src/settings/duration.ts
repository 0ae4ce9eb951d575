import { z } from 'zod';

/** Invalid settings, in sentences that name the variables. */
export class SettingsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SettingsError';
  }
}

const millisecondsOf: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  y: 365 * 86_400_000,
};

/** The maximum of a duration setting, unless it says otherwise. */
export const maxDurationMs = 365 * 86_400_000;

/** The maximum of a retention setting. */
export const maxRetentionMs = 10 * 365 * 86_400_000;

/**
 * Parses a duration such as `500ms`, `10s`, `5m`, `24h`, `30d` or `2y`.
 * @returns milliseconds; `undefined` if the text is not a duration or is longer than ten years
 */
export function readDuration(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,12})(ms|s|m|h|d|y)$/.exec(text) ?? [];
  const milliseconds = Number(digits) * (millisecondsOf[unit] ?? Number.NaN);
  return milliseconds <= maxRetentionMs ? milliseconds : undefined;
}

/** The duration in the largest unit of which it is a whole number. */
function formatDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0s';
  const units = Object.entries(millisecondsOf);
  const [unit, size] = units.findLast(([, ms]) => milliseconds % ms === 0) ?? ['ms', 1];
  return `${milliseconds / size}${unit}`;
}

/** A text parsed by `parse`; refused with the message if that returns `undefined`. */
export const parsedText = <Value>(
  parse: (text: string) => Value | undefined,
  message: string | ((text: string) => string),
) =>
  z.string().transform((text, context) => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue(typeof message === 'string' ? message : message(text));
    return z.NEVER;
  });

/** A duration of `min` to `max` milliseconds; parsed to milliseconds. */
export const durationSchema = (min: number, max = maxDurationMs) =>
  parsedText(
    (text) => {
      const milliseconds = readDuration(text);
      return milliseconds !== undefined && milliseconds >= min && milliseconds <= max
        ? milliseconds
        : undefined;
    },
    (text) =>
      `is ${JSON.stringify(text)}: it must be a duration from ${formatDuration(min)} to ${formatDuration(max)}, written as 500ms, 10s, 5m, 24h, 30d or 1y`,
  );
