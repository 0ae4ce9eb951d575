import type { AttemptRecord } from './delivery-types.ts';

const maxResponseCharacters = 4_096;
const maxDurationMs = 2_147_483_647;

/** Makes text storable in PostgreSQL: a partner's response may hold anything. */
export const storable = (text: string) =>
  text.slice(0, maxResponseCharacters).replaceAll('\u0000', '\uFFFD').toWellFormed();

/** Its warnings as JSON text. */
export const warningsOf = ({ warnings }: AttemptRecord) =>
  warnings === undefined ? null : JSON.stringify(warnings);

/** Its duration in whole milliseconds, as the column takes it. */
export const durationOf = ({ durationMs }: AttemptRecord) =>
  Math.min(Math.max(0, Math.round(durationMs)), maxDurationMs);
