import type { Booking, BookingSystemManifest, StatusGroup, Warning } from '@waiver-service/core';
import { quoted } from './json.ts';
import type { Reading } from './reading.ts';

type StatusMap = BookingSystemManifest['statusMap'];

/** The group that a plugin's map gives to a status: `other` for an unknown status, `undefined` without a map. */
export function statusGroupOf(statusMap: StatusMap, status: string): StatusGroup | undefined {
  if (!statusMap) return undefined;
  return Object.hasOwn(statusMap, status) ? (statusMap[status] ?? 'other') : 'other';
}

/** Adds a warning for a status that the plugin's map lacks, with what it counts as: `counts as other`. */
export function warnOfUnknownStatus(
  reading: Reading,
  statusMap: StatusMap,
  { status, path, meaning }: { readonly status: string; readonly path: string; readonly meaning: string },
): void {
  if (!statusMap || Object.hasOwn(statusMap, status)) return;
  reading.warn(
    'unknown_status',
    path,
    `${path} is ${quoted(status)}, which is not a known status: ${meaning}`,
  );
}

/**
 * A warning for a booking that is not cancelled and whose `pax` is 0; `undefined` for any other. Without a status group,
 * the wording of the status decides, as it does for the host.
 */
export function warningOfNobody({ pax, status, statusGroup }: Booking): Warning | undefined {
  const isExpected = statusGroup === undefined ? !/cancell?ed/i.test(status) : statusGroup === 'active';
  if (pax > 0 || !isExpected) return undefined;
  const message = `the booking is ${quoted(status)}, but its number of people is 0: nobody is expected`;
  return { code: 'nobody_expected', path: 'pax', message };
}
