import type { BookingSystemContext, CheckedAccess } from '@waiver-service/core';
import { raiseForOctoList } from './answers.ts';

/**
 * Requests what every account may read: the supplier or, if a vendor documents no such path, its products. Throws
 * core's errors if the key is not accepted.
 */
export async function checkAccess(
  { http }: Pick<BookingSystemContext, 'http'>,
  path: 'supplier' | 'products' = 'supplier',
): Promise<CheckedAccess> {
  raiseForOctoList(await http.get(path));
  return { warnings: [] };
}
