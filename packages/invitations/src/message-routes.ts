import { Mailer } from '@waiver-service/alerts';
import {
  type invitationSchema,
  liftInvitationRefusal,
  listInvitationRefusals,
  listSentInvitations,
  sendInvitations,
  type shownInvitationStates,
} from '@waiver-service/api';
import {
  type Caller,
  callerSignal,
  changeActorOf,
  type HostApp,
  HttpProblem,
  pageOf,
  pageOrProblem,
  type RouteModule,
  seesGuests,
  unknownPool,
} from '@waiver-service/http';
import {
  BookingReader,
  BookingSystemResolver,
  dayIn,
  requireBookingSystem,
  requirePool,
} from '@waiver-service/integration';
import type { BookingKey } from '@waiver-service/waivers';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import type { Invitation } from './data/invitation.ts';
import { InvitationStore } from './data/invitation-store.ts';
import { TooManyInvitations } from './data/plan-invitations.ts';
import {
  type ClosedReason,
  type OpenBooking,
  type Recipient,
  type Recipients,
  readInvited,
  sameAddress,
} from './recipients.ts';

/** 409: there is no mail server. */
const noMailServer = (): HttpProblem =>
  new HttpProblem(
    409,
    'mail_not_configured',
    'No mail server is set: give the service SMTP_URL and ALERT_FROM.',
  );

/** A masked address: its first letter and its domain. */
function maskedAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = [...email];
  return `${first}…${email.slice(at)}`;
}

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
      ? recipients.filter((each) => sameAddress(each.email) === sameAddress(email.trim()))
      : [];
  const own = at(guest.email);
  const found = own.length > 0 ? own : guest.email === undefined ? at(booking.contact.email) : [];
  return { recipients: found, unreachable: 0 };
}

/** `POST …/bookings/{booking_id}/invitations`: staff send the link now. */
@injectable()
export class SendInvitationRoute implements RouteModule {
  constructor(
    @inject(InvitationStore) readonly store: InvitationStore,
    @inject(BookingSystemResolver) readonly bookingSystems: BookingSystemResolver,
    @inject(BookingReader) readonly bookingReader: BookingReader,
    @inject(Mailer) readonly mailer: Mailer | undefined,
  ) {}

  addRoutes(app: HostApp): void {
    const { store, mailer } = this;

    const read = async (key: BookingKey, signal: AbortSignal): Promise<OpenBooking> => {
      const invited = await readInvited(this, { ...key, now: new Date(), signal });
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
    };

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
      ...sendInvitations,
      handler: async (request, reply) => {
        const { params, query, body, caller } = request;
        const signal = callerSignal(reply);
        const pool = await store.pools.get(params.pool);
        if (pool === undefined) throw unknownPool(params.pool);
        if (mailer === undefined) throw noMailServer();
        const bookingSystem = await requireBookingSystem(this, pool.id, query.bookingSystem);
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
  }
}

/** A message that is being handed over is shown as waiting. */
function shownState({ state, isGivenUp }: Invitation): (typeof shownInvitationStates)[number] {
  if (isGivenUp) return 'given-up';
  return state === 'handing-over' ? 'waiting' : state;
}

function invitationAnswer(invitation: Invitation, caller: Caller | null): z.input<typeof invitationSchema> {
  const { pool: _, isGivenUp: __, email, reason, ...item } = invitation;
  const isRedacted = !seesGuests(caller);
  // The mail server's reply may quote the address.
  const isQuote = isRedacted && item.state === 'refused';
  return {
    ...item,
    state: shownState(invitation),
    email: isRedacted ? null : email,
    reason: isQuote ? null : reason,
    ...(isRedacted ? { redacted: true as const } : {}),
  };
}

/** The log of messages, and the addresses that get no more messages. */
@injectable()
export class InvitationLogRoutes implements RouteModule {
  constructor(@inject(InvitationStore) readonly store: InvitationStore) {}

  addRoutes(app: HostApp): void {
    const { invitations } = this.store;

    app.route({
      ...listSentInvitations,
      handler: async ({ params: { pool }, query, caller }) => {
        await requirePool(this, pool);
        return pageOf(invitations.list(pool, query), (each) => invitationAnswer(each, caller));
      },
    });

    app.route({
      ...listInvitationRefusals,
      handler: async ({ params: { pool }, query }) => {
        await requirePool(this, pool);
        return pageOrProblem(invitations.listRefusals(pool, query));
      },
    });

    app.route({
      ...liftInvitationRefusal,
      handler: async ({ params: { pool, id } }, reply) => {
        await requirePool(this, pool);
        if (!(await invitations.removeRefusal(pool, id)))
          throw new HttpProblem(404, 'refusal_not_found', 'The pool has no such refused address.');
        return reply.code(204).send(null);
      },
    });
  }
}
