import type { BookingSystemManifest } from '@waiver-service/core';

const maxRetryMs = 3_600_000;
const firstRetryMs = 60_000;

/** Milliseconds until a booking system is asked for changes again; null if only a lost webhook call leads to that. */
export const pollWaitMs = ({ capabilities }: Pick<BookingSystemManifest, 'capabilities'>): number | null =>
  capabilities.changes?.pollEveryMs ?? null;

/** Milliseconds to wait after a failure: twice as long each time, from the usual wait to an hour. */
export const changesRetryMs = (
  plugin: Pick<BookingSystemManifest, 'capabilities'>,
  failuresBefore: number,
): number => {
  const usualMs = pollWaitMs(plugin) ?? firstRetryMs;
  return Math.max(usualMs, Math.min(usualMs * 2 ** failuresBefore, maxRetryMs));
};
