import { poolIdSchema, waiverIdSchema } from '@waiver-service/core';
import { z } from 'zod';

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

export const waiverParamsSchema = poolPathSchema.extend({ id: waiverIdSchema });
