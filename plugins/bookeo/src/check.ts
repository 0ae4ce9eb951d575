import type { CheckedAccess } from '@waiver-service/core';
import { raiseForList } from '@waiver-service/plugin-kit';
import type { Context } from './settings.ts';

/** Asks what the account's key may do. Throws core's errors where it may do nothing. */
export async function checkAccess({ http }: Context): Promise<CheckedAccess> {
  raiseForList(await http.get('settings/apikeyinfo'), 'Bookeo');
  return { warnings: [] };
}
