import type { BookingSystemManifest, StatusGroup } from '@waiver-service/core';

/** The group that a plugin's map gives to a status: `other` for an unknown status, `undefined` without a map. */
export function statusGroupOf(
  statusMap: BookingSystemManifest['statusMap'],
  status: string,
): StatusGroup | undefined {
  if (!statusMap) return undefined;
  return Object.hasOwn(statusMap, status) ? (statusMap[status] ?? 'other') : 'other';
}
