import type { BookedSession } from '@waiver-service/core';
import { type JsonObject, type Reading, vendorSession } from '@waiver-service/plugin-kit';
import { countOf } from './count.ts';
import type { CheckfrontBooking, CheckfrontLine } from './shape.ts';

/** A line that has a time. */
export interface TimedLine {
  readonly line: CheckfrontLine;
  readonly session: BookedSession;
}

// Checkfront also writes days as 20270614, which would be a moment of August 1970; what is later is no booking either.
const earliestSeconds = Date.UTC(1980, 0) / 1000;
const latestSeconds = Date.UTC(2200, 0) / 1000;

/** Seconds since 1970, as a number or a text, as UTC; `undefined` where there is none. */
function utcOf(value: unknown): string | undefined {
  const seconds = countOf(value);
  if (seconds === undefined || seconds < earliestSeconds || seconds >= latestSeconds) return undefined;
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

function timesOf({ start_date, end_date }: JsonObject) {
  const startsAt = utcOf(start_date);
  const endsAt = utcOf(end_date);
  // One moment for both is a whole day, or a slot without a length: either way, when it ends is not said.
  return { startsAt, endsAt: endsAt === startsAt ? undefined : endsAt };
}

/** Whether a line is what was added to another one: `2.1` was added to `2`. */
export const isAddOn = ({ lineId }: CheckfrontLine): boolean => lineId?.includes('.') ?? false;

/**
 * The lines that have a time, each with its session. Where no line has one of its own, the booking's times are those of
 * its lines, but not of what was added to them. A line without a time, such as goods, is left out, with a warning.
 */
export function readSessions(
  reading: Reading,
  lines: readonly CheckfrontLine[],
  { whole }: CheckfrontBooking,
): TimedLine[] {
  const own = lines.map((line) => ({ line, times: timesOf(line.value) }));
  const haveTheirOwn = own.some(({ times }) => times.startsAt !== undefined);
  return own.flatMap(({ line, times }) => {
    const { startsAt, endsAt } = haveTheirOwn || isAddOn(line) ? times : timesOf(whole);
    const { path, value } = line;
    if (startsAt === undefined) {
      reading.warn('item_skipped', path, `${path} has no start_date: it is no session and counts nobody`);
      return [];
    }
    const fields = { startsAt, endsAt, activityId: value.sku, activityName: value.name };
    return [{ line, session: vendorSession(reading, fields, path) }];
  });
}
