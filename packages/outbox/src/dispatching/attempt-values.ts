import type { AttemptRecord } from '../messages/delivery-types.ts';

const maxResponseCharacters = 4_096;
const maxDurationMs = 2_147_483_647;

/** Shortens text and makes it storable in PostgreSQL: a partner's response may contain anything. */
export const storable = (text: string) =>
  text.slice(0, maxResponseCharacters).replaceAll('\u0000', '\uFFFD').toWellFormed();

export const warningsOf = ({ warnings }: AttemptRecord) =>
  warnings === undefined ? null : JSON.stringify(warnings);

/** The duration of an attempt in whole milliseconds, within the range of the column. */
export const durationOf = ({ durationMs }: AttemptRecord) =>
  Math.min(Math.max(0, Math.round(durationMs)), maxDurationMs);
