import {
  type BookingSystemPlugin,
  bookingIdSchema,
  describeIssue,
  type InboundCall,
  type InboundNotice,
  type InstalledAccount,
  poolIdSchema,
} from '@waiver-service/core';
import { z } from 'zod';
import { HttpProblem, malformed } from '../http/http-problem.ts';
import { findUnstorable } from '../http/json-body.ts';
import { problemDetails } from '../http/validation.ts';

/** The body of an inbound call as in the contract. */
const contractNoticeSchema = z
  .looseObject({
    id: z
      .union([bookingIdSchema, z.int().transform(String)])
      .describe('The booking that is new or has changed.'),
    pool: poolIdSchema.describe('The pool that the app pool key belongs to.'),
  })
  .meta({ id: 'InboundNotice' });

const maxBookings = 1000;
const maxMessageIdLength = 1024;
const maxAnswerBytes = 64 * 1024;

// Reserved for the server: a plugin that set one could break the connection, or set a cookie in its caller.
const reservedHeaders =
  /^(?:connection|content-length|date|keep-alive|set-cookie|te|trailer|transfer-encoding|upgrade)$/i;

const jsonBytes = (body: unknown) => Buffer.byteLength(JSON.stringify(body ?? ''));

const nativeNoticeSchema = z.object({
  bookingIds: z.array(bookingIdSchema).max(maxBookings),
  missedCalls: z.boolean().optional(),
  messageId: z.string().max(maxMessageIdLength).optional(),
  answer: z
    .object({
      status: z.int().min(200).max(299).optional(),
      headers: z
        .record(
          z
            .string()
            .regex(/^[\w-]{1,100}$/)
            .refine((name) => !reservedHeaders.test(name), 'a header that a plugin may set'),
          z
            .string()
            .max(8192)
            .regex(/^[\t\x20-\x7e]*$/),
        )
        .optional(),
      body: z
        .unknown()
        .refine((body) => jsonBytes(body) <= maxAnswerBytes, `at most ${maxAnswerBytes} bytes`)
        .optional(),
    })
    .optional(),
});

/**
 * Reads a call in the vendor's own form. One that names no booking is accepted, because booking systems disable their
 * calls after a few errors.
 * @throws HttpProblem 400 for a malformed booking id or call
 */
export function readNativeCall(
  plugin: BookingSystemPlugin,
  call: InboundCall<unknown, InstalledAccount>,
): InboundNotice {
  let notice: unknown;
  try {
    notice = plugin.parseInbound?.(call) ?? { bookingIds: [] };
  } catch (cause) {
    if (call.body === undefined) return { bookingIds: [] };
    throw new HttpProblem(400, 'malformed', `This is not a call that ${plugin.displayName} makes.`, {
      cause,
    });
  }
  const parsed = nativeNoticeSchema.safeParse(notice, { error: describeIssue });
  if (!parsed.success) throw malformed(problemDetails(parsed.error));
  return { ...parsed.data, bookingIds: [...new Set(parsed.data.bookingIds)] };
}

function namesNoBooking(body: unknown): boolean {
  if (body === undefined) return true;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  return !('id' in body) || body.id === undefined || body.id === null;
}

/**
 * Reads a call in the contract's form. One that names no booking is accepted, too.
 * @throws HttpProblem 400
 */
export function readContractCall(body: unknown): InboundNotice {
  if (namesNoBooking(body)) return { bookingIds: [] };
  const unstorable = findUnstorable(body);
  if (unstorable !== undefined) throw malformed([unstorable]);
  const parsed = contractNoticeSchema.safeParse(body, { error: describeIssue });
  if (!parsed.success) throw malformed(problemDetails(parsed.error));
  return { bookingIds: [parsed.data.id] };
}
