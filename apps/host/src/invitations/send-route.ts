import { bookingGuestIdSchema, bookingIdSchema } from '@waiver-service/core';
import { TooManyInvitations } from '@waiver-service/store';
import type { BookingKey } from '@waiver-service/waivers';
import { z } from 'zod';
import { poolPathSchema } from '../admin-routes/admin-paths.ts';
import { changeActorOf } from '../authentication/caller.ts';
import { dayIn } from '../booking-reading/booking-days.ts';
import { callerSignal } from '../http/aborted-requests.ts';
import type { RouteModule } from '../http/host-app.ts';
import { HttpProblem, unknownPool } from '../http/http-problem.ts';
import { requireBookingSystem } from '../waiver-routes/link-booking-system.ts';
import { type ClosedReason, type OpenBooking, readInvited } from './invited-booking.ts';
import { maskedAddress, noMailServer } from './mail-problems.ts';
import type { Recipient, Recipients } from './recipients.ts';

const closedProblems: Readonly<Record<ClosedReason, () => HttpProblem>> = {
  gone: () => new HttpProblem(404, 'booking_not_found', 'The booking system has no such booking.'),
  cancelled: () => new HttpProblem(409, 'booking_cancelled', 'This booking was cancelled.'),
  'no-form': () =>
    new HttpProblem(
      409,
      'no_form',
      'The pool has no published form for this activity: there is nothing to sign.',
    ),
  uninstalled: () =>
    new HttpProblem(424, 'not_installed', 'The booking system is not installed for the pool.'),
};

/** The recipients for one guest: the guest's own address, otherwise the booker. */
function forGuest({ booking, recipients }: OpenBooking, bookingGuestId: string): Recipients {
  const guest = booking.guests.find(({ id }) => id === bookingGuestId);
  if (guest === undefined)
    throw new HttpProblem(404, 'guest_not_found', 'The booking has no guest with this id.');
  const at = (email: unknown): Recipient[] =>
    typeof email === 'string'
      ? recipients.filter((each) => each.email.toLowerCase() === email.trim().toLowerCase())
      : [];
  const own = at(guest.email);
  const found = own.length > 0 ? own : guest.email === undefined ? at(booking.contact.email) : [];
  return { recipients: found, unreachable: 0 };
}

const leftOutReasons = [
  'known',
  'too-many',
  'refused',
  'unsubscribed',
  'erased',
  'no-address',
  'signed',
] as const;

const resultSchema = z.object({
  sent: z.array(
    z.object({
      email: z.string().describe('The recipient’s address, masked: only the first letter and the domain.'),
      guests: z.int().describe('Number of guests whom the message asks to sign.'),
      link: z.enum(['guest', 'booking']),
    }),
  ),
  leftOut: z
    .array(
      z.object({
        email: z.string().nullable().describe('The masked address; null if there is none.'),
        guests: z.int(),
        reason: z.enum(leftOutReasons),
      }),
    )
    .describe(
      'Recipients to whom nothing is sent. `too-many`: staff sent this address three messages about this booking in 24 hours, or it got as many as it may in a day. `signed`: no guest is left to sign.',
    ),
});

/** `POST …/bookings/{booking_id}/invitations`: staff send the link now. */
export const sendInvitationRoute: RouteModule = (app, services) => {
  const { store, mailer } = services;

  async function read(key: BookingKey, signal: AbortSignal): Promise<OpenBooking> {
    const invited = await readInvited(services, { ...key, now: new Date(), signal });
    if (invited.kind === 'closed') throw closedProblems[invited.reason]();
    if (invited.kind === 'open') return invited;
    throw new HttpProblem(
      503,
      'booking_unavailable',
      'The booking cannot be read now. Try again in a minute.',
      {
        headers: { 'retry-after': '60' },
      },
    );
  }

  async function enqueue(
    key: BookingKey,
    invited: OpenBooking,
    { recipients, day, createdBy }: { recipients: readonly Recipient[]; day: string; createdBy: string },
  ) {
    try {
      return await store.invitations.send({
        ...key,
        bookingId: invited.bookingId,
        occasion: 'staff',
        day,
        recipients: recipients.map(({ email, guests }) => ({ email, guests })),
        createdBy,
      });
    } catch (error) {
      if (!(error instanceof TooManyInvitations)) throw error;
      throw new HttpProblem(429, 'too_many_invitations', `${error.message}. Try again later.`, {
        headers: { 'retry-after': '600' },
      });
    }
  }

  app.route({
    config: {
      access: 'operator',
      problems: {
        404: 'The booking system has no such booking (`booking_not_found`), or the booking has no such guest (`guest_not_found`).',
        409: 'No mail server is configured (`mail_not_configured`), no form is published (`no_form`), the booking was cancelled (`booking_cancelled`), or several booking systems are installed and none is named (`booking_system_ambiguous`).',
        424: 'The booking system is not installed for the pool (`not_installed`).',
        429: 'Staff of the pool have sent 300 messages in an hour (`too_many_invitations`). See Retry-After.',
        503: 'The booking cannot be read now (`booking_unavailable`), or the database is temporarily unavailable.',
      },
    },
    method: 'POST',
    url: '/v1/admin/pools/:pool/bookings/:booking_id/invitations',
    schema: {
      operationId: 'sendInvitations',
      tags: ['Check-in'],
      summary: 'Send the link for signing by e-mail now',
      description:
        'Sends messages for all guests of the booking who have not signed, or for one of them. Guests with an e-mail address get their own link; for guests without one, the booker gets the link of the booking.',
      params: poolPathSchema.extend({ booking_id: bookingIdSchema }),
      querystring: z.strictObject({
        bookingSystem: z
          .string()
          .max(100)
          .optional()
          .describe('Install name; the pool’s default booking system if omitted.'),
      }),
      body: z
        .strictObject({
          bookingGuestId: bookingGuestIdSchema
            .optional()
            .describe('Id of the only guest to send a message for; all guests if omitted.'),
        })
        .optional(),
      response: { 200: resultSchema },
    },
    handler: async (request, reply) => {
      const { params, query, body, caller } = request;
      const signal = callerSignal(reply);
      const pool = await store.pools.get(params.pool);
      if (pool === undefined) throw unknownPool(params.pool);
      if (mailer === undefined) throw noMailServer();
      const bookingSystem = await requireBookingSystem(services, pool.id, query.bookingSystem);
      const key = { pool: pool.id, bookingSystem, bookingId: params.booking_id };
      const invited = await read(key, signal);
      const guestId = body?.bookingGuestId;
      const { recipients, unreachable } = guestId === undefined ? invited : forGuest(invited, guestId);
      const planned = await enqueue(key, invited, {
        recipients,
        day: dayIn(pool.timeZone, invited.startsAt),
        createdBy: changeActorOf(caller)?.id ?? '',
      });
      const linkOf = (email: string) =>
        recipients.find((each) => each.email === email)?.bookingGuestId === null ? 'booking' : 'guest';
      const noAddress = { email: null, guests: unreachable, reason: 'no-address' } as const;
      const allSigned = { email: null, guests: 0, reason: 'signed' } as const;
      return {
        sent: planned.flatMap(({ email, guests, outcome }) =>
          outcome === 'enqueued'
            ? [{ email: maskedAddress(email), guests, link: linkOf(email) } as const]
            : [],
        ),
        leftOut: [
          ...planned.flatMap(({ email, guests, outcome }) =>
            outcome === 'enqueued' ? [] : [{ email: maskedAddress(email), guests, reason: outcome }],
          ),
          ...(unreachable > 0 ? [noAddress] : recipients.length === 0 ? [allSigned] : []),
        ],
      };
    },
  });
};
