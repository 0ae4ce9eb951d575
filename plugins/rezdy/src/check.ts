import type { CheckedAccess } from '@waiver-service/core';
import type { Context } from './account.ts';
import { search } from './list.ts';

/** Requests one order. Throws core's errors if the account may not read orders. */
export async function checkAccess(context: Context): Promise<CheckedAccess> {
  await search(context, {}, { limit: 1, offset: 0 });
  return { warnings: [] };
}
