import type { BookedSession } from '@waiver-service/core';
import { type JsonObject, type Reading, vendorSession } from '@waiver-service/plugin-kit';
import { countOf } from './count.ts';
import { hasPeople } from './people.ts';
import { type CheckfrontBooking, type CheckfrontLine, isAddOn } from './shapes.ts';

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

const noStart = 'has no start_date';
const noPeople = `${noStart}, and its parameters count no people, as those of another item do`;

/**
 * The lines that have a time, each with its session. If none has, the booking's times apply to all lines except
 * add-ons, and only to those with people if there are any. Any other line without a time, such as goods, is skipped
 * with a warning.
 */
export function readSessions(
  reading: Reading,
  lines: readonly CheckfrontLine[],
  { whole }: CheckfrontBooking,
  guestParameters: readonly string[] | undefined,
): TimedLine[] {
  const timed = lines.map((line) => ({ line, times: timesOf(line.value) }));
  const hasLineTimes = timed.some(({ times }) => times.startsAt !== undefined);
  const hasMainPeople = lines.some((line) => !isAddOn(line) && hasPeople(line, guestParameters));
  return timed.flatMap(({ line, times }) => {
    const { path, value } = line;
    const mayTakeTimes = !hasLineTimes && !isAddOn(line);
    const lacksPeople = mayTakeTimes && hasMainPeople && !hasPeople(line, guestParameters);
    const { startsAt, endsAt } = mayTakeTimes && !lacksPeople ? timesOf(whole) : times;
    if (startsAt === undefined) {
      const reason = lacksPeople ? noPeople : noStart;
      reading.warn('item_skipped', path, `${path} ${reason}: it is not a session and counts no people`);
      return [];
    }
    const fields = { startsAt, endsAt, activityId: value.sku, activityName: value.name };
    return [{ line, session: vendorSession(reading, fields, path) }];
  });
}
