import type { CheckedAccess } from '@waiver-service/core';
import type { Context } from './account.ts';
import { raiseForAccount } from './answers.ts';

/** Asks for the company of the account. Throws core's errors where the key is not accepted. */
export async function checkAccess({ http }: Context): Promise<CheckedAccess> {
  raiseForAccount(await http.get('company'));
  return { warnings: [] };
}
