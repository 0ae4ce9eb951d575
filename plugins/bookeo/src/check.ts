import type { CheckedAccess } from '@waiver-service/core';
import { raiseForList } from '@waiver-service/plugin-kit';
import type { Context } from './settings.ts';

/** Requests the permissions of the account's key. Throws core's errors if the key is rejected. */
export async function checkAccess({ http }: Context): Promise<CheckedAccess> {
  raiseForList(await http.get('settings/apikeyinfo'), 'Bookeo');
  return { warnings: [] };
}
