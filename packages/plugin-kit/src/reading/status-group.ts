import type { BookingSystemManifest, StatusGroup } from '@waiver-service/core';

/** What a status means by a plugin's visible map: a status beyond it is `other`. `undefined` where there is no map. */
export function statusGroupOf(
  statusMap: BookingSystemManifest['statusMap'],
  status: string,
): StatusGroup | undefined {
  if (!statusMap) return undefined;
  return Object.hasOwn(statusMap, status) ? (statusMap[status] ?? 'other') : 'other';
}
