import {
  type BookingSystemPlugin,
  bookingIdSchema,
  type InboundCall,
  poolIdSchema,
} from '@waiver-service/core';
import { z } from 'zod';
import { HttpProblem, malformed } from '../http/http-problem.ts';
import { problemDetails } from '../http/validation.ts';

/** The body of an inbound call in the contract's form. */
export const inboundNoticeSchema = z
  .looseObject({
    id: z
      .union([bookingIdSchema, z.int().transform(String)])
      .describe('The booking that is new or has changed.'),
    pool: poolIdSchema.describe('The pool that the app pool key belongs to.'),
  })
  .meta({ id: 'InboundNotice' });

const mostBookings = 1000;

function readNative(plugin: BookingSystemPlugin, call: InboundCall): readonly string[] {
  let bookingIds: readonly unknown[];
  try {
    bookingIds = plugin.parseInbound?.(call).bookingIds ?? [];
  } catch (cause) {
    throw new HttpProblem(400, 'malformed', `This is not a call that ${plugin.displayName} makes.`, {
      cause,
    });
  }
  const parsed = z.array(bookingIdSchema).max(mostBookings).safeParse(bookingIds);
  if (!parsed.success) throw malformed(problemDetails(parsed.error));
  return [...new Set(parsed.data)];
}

/**
 * Which bookings an inbound call is about.
 * @throws HttpProblem 400
 */
export function readInboundCall(plugin: BookingSystemPlugin, call: InboundCall): readonly string[] {
  if (plugin.capabilities.inbound === 'native') return readNative(plugin, call);
  const parsed = inboundNoticeSchema.safeParse(call.body);
  if (!parsed.success) throw malformed(problemDetails(parsed.error));
  return [parsed.data.id];
}
