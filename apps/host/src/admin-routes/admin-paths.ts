import { poolIdSchema } from '@waiver-service/core';
import type { Store } from '@waiver-service/store';
import { z } from 'zod';
import { unknownPool } from '../http/http-problem.ts';

/** An id that we gave out. */
const ownId = z.string().min(1).max(100);
// Any text: a name that no plugin has is answered with the names there are.
const installName = z.string().describe('The install name of the booking system.');

/** The path of one thing that we gave an id. */
export const idPathSchema = z.object({ id: ownId });
/** The path of one booking system. */
export const bookingSystemPathSchema = z.object({ booking_system: installName });
/** The path of one key of a booking system. */
export const bookingSystemIdPathSchema = bookingSystemPathSchema.extend({ id: ownId });
/** The path of one pool. */
export const poolPathSchema = z.object({ pool: poolIdSchema });
/** The path of one thing of a pool. */
export const poolIdPathSchema = poolPathSchema.extend({ id: ownId });
/** The path of one booking system of a pool. */
export const poolBookingSystemPathSchema = poolPathSchema.extend({ booking_system: installName });

/** @throws HttpProblem 404 where there is no such pool */
export async function requirePool(
  { store }: { readonly store: Pick<Store, 'pools'> },
  pool: string,
): Promise<void> {
  if (!(await store.pools.get(pool))) throw unknownPool(pool);
}
