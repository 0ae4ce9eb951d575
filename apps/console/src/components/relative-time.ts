import { formatRelative } from '../text/formats.ts';

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** How long before or after `now` a time is, in its largest unit: "5 min. ago". */
export function relativeTime(at: Date, now: Date): string {
  const difference = at.getTime() - now.getTime();
  const [unit, ms] = units.find(([, length]) => Math.abs(difference) >= length) ?? ['second', 1_000];
  // Truncated: rounding would show 59.9 minutes as 60, and could make an earlier time read as later.
  return formatRelative(Math.trunc(difference / ms), unit);
}
