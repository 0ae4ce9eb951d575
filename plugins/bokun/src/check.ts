import type { CheckedAccess } from '@waiver-service/core';
import { search } from './list.ts';
import type { Context } from './settings.ts';

/** Searches for a single booking. Throws core's errors if the key is rejected or may not read bookings. */
export async function checkAccess(context: Context): Promise<CheckedAccess> {
  await search(context, { page: 1, pageSize: 1 });
  return { warnings: [] };
}
