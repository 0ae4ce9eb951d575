import type { BookedSession } from '@waiver-service/core';
import { type JsonObject, type Reading, vendorSession } from '@waiver-service/plugin-kit';
import { countOf } from './count.ts';
import type { CheckfrontBooking, CheckfrontLine } from './shapes.ts';

/** A line with a time, and its session. */
export interface TimedLine {
  readonly line: CheckfrontLine;
  readonly session: BookedSession;
}

// Excludes days such as 20270614, which Checkfront also sends: as Unix time it would be in August 1970.
const minSeconds = Date.UTC(1980, 0) / 1000;
const maxSeconds = Date.UTC(2200, 0) / 1000;

/** Converts Unix seconds, given as a number or a text, to UTC. */
function utcOf(value: unknown): string | undefined {
  const seconds = countOf(value);
  if (seconds === undefined || seconds < minSeconds || seconds >= maxSeconds) return undefined;
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

function timesOf({ start_date, end_date }: JsonObject) {
  return { startsAt: utcOf(start_date), endsAt: utcOf(end_date) };
}

/** Whether a line was added to another one: `2.1` is an add-on of `2`. */
export const isAddOn = ({ lineId }: CheckfrontLine): boolean => lineId?.includes('.') ?? false;

/**
 * The lines that have a time, each with its session. If no line has one, they all get the booking's times, except add-ons.
 * A line without a time, such as goods, is skipped with a warning.
 */
export function readSessions(
  reading: Reading,
  lines: readonly CheckfrontLine[],
  { whole }: CheckfrontBooking,
): TimedLine[] {
  const timed = lines.map((line) => ({ line, times: timesOf(line.value) }));
  const hasLineTimes = timed.some(({ times }) => times.startsAt !== undefined);
  return timed.flatMap(({ line, times }) => {
    const { startsAt, endsAt } = hasLineTimes || isAddOn(line) ? times : timesOf(whole);
    const { path, value } = line;
    if (startsAt === undefined) {
      reading.warn(
        'item_skipped',
        path,
        `${path} has no start_date: it is not a session and counts no people`,
      );
      return [];
    }
    const fields = { startsAt, endsAt, activityId: value.sku, activityName: value.name };
    return [{ line, session: vendorSession(reading, fields, path) }];
  });
}
