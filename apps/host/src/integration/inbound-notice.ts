import {
  type BookingSystemPlugin,
  bookingIdSchema,
  describeIssue,
  type InboundCall,
  poolIdSchema,
} from '@waiver-service/core';
import { z } from 'zod';
import { HttpProblem, malformed } from '../http/http-problem.ts';
import { findUnstorable } from '../http/json-body.ts';
import { problemDetails } from '../http/validation.ts';

/** The body of an inbound call as in the contract. */
const inboundNoticeSchema = z
  .looseObject({
    id: z
      .union([bookingIdSchema, z.int().transform(String)])
      .describe('The booking that is new or has changed.'),
    pool: poolIdSchema.describe('The pool that the app pool key belongs to.'),
  })
  .meta({ id: 'InboundNotice' });

const maxBookings = 1000;

function readNative(plugin: BookingSystemPlugin, call: InboundCall): readonly string[] {
  let bookingIds: readonly unknown[];
  try {
    bookingIds = plugin.parseInbound?.(call).bookingIds ?? [];
  } catch (cause) {
    if (call.body === undefined) return [];
    throw new HttpProblem(400, 'malformed', `This is not a call that ${plugin.displayName} makes.`, {
      cause,
    });
  }
  const parsed = z.array(bookingIdSchema).max(maxBookings).safeParse(bookingIds, { error: describeIssue });
  if (!parsed.success) throw malformed(problemDetails(parsed.error));
  return [...new Set(parsed.data)];
}

function namesNoBooking(body: unknown): boolean {
  if (body === undefined) return true;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  return !('id' in body) || body.id === undefined || body.id === null;
}

/**
 * The bookings that an inbound call is about. A call that names none is accepted too, because booking systems disable
 * their calls after a few errors.
 * @throws HttpProblem 400 for a malformed booking id or call
 */
export function readInboundCall(plugin: BookingSystemPlugin, call: InboundCall): readonly string[] {
  if (plugin.capabilities.inbound === 'native') return readNative(plugin, call);
  if (namesNoBooking(call.body)) return [];
  const unstorable = findUnstorable(call.body);
  if (unstorable !== undefined) throw malformed([unstorable]);
  const parsed = inboundNoticeSchema.safeParse(call.body, { error: describeIssue });
  if (!parsed.success) throw malformed(problemDetails(parsed.error));
  return [parsed.data.id];
}
