import { poolIdSchema } from '@waiver-service/core';
import type { Store } from '@waiver-service/store';
import { z } from 'zod';
import { unknownPool } from '../http/http-problem.ts';

/** An id that this service generated. */
const ownId = z.string().min(1).max(100);
// Not validated: the response to an unknown name lists the known ones.
const installName = z.string().describe('The install name of the booking system.');

export const idPathSchema = z.object({ id: ownId });
export const bookingSystemPathSchema = z.object({ booking_system: installName });
export const bookingSystemIdPathSchema = bookingSystemPathSchema.extend({ id: ownId });
export const poolPathSchema = z.object({ pool: poolIdSchema });
export const poolIdPathSchema = poolPathSchema.extend({ id: ownId });
export const poolBookingSystemPathSchema = poolPathSchema.extend({ booking_system: installName });

/** @throws HttpProblem 404 for an unknown pool */
export async function requirePool(
  { store }: { readonly store: Pick<Store, 'pools'> },
  pool: string,
): Promise<void> {
  if (!(await store.pools.get(pool))) throw unknownPool(pool);
}
