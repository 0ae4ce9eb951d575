import type { CheckedAccess } from '@waiver-service/core';
import type { Context } from './account.ts';
import { raiseForAccount } from './answers.ts';

/** Requests the account's company. Throws core's errors if the key is rejected. */
export async function checkAccess({ http }: Context): Promise<CheckedAccess> {
  raiseForAccount(await http.get('company'));
  return { warnings: [] };
}
