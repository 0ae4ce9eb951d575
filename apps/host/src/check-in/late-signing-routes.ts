import { bookingGuestIdSchema, bookingIdSchema } from '@waiver-service/core';
import { type Signing, signingLimits } from '@waiver-service/forms';
import type { LateSigning } from '@waiver-service/store';
import { z } from 'zod';
import { poolIdPathSchema, poolPathSchema, requirePool } from '../admin-routes/admin-paths.ts';
import { noContentSchema } from '../admin-routes/no-content.ts';
import { type Caller, seesGuests, signingActorOf } from '../authentication/caller.ts';
import type { RouteServices } from '../container/route-services.ts';
import { dateTimeSchema } from '../http/date-time.ts';
import { redactedSchema } from '../http/guest-data.ts';
import type { RouteModule } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { pageOf, pageQuerySchema, pageSchema } from '../http/pages.ts';
import { requireBookingSystem } from '../waiver-routes/link-booking-system.ts';
import { lateSummarySchema, readKeptBody } from './late-signing.ts';
import { findOrReadLinkedBooking } from './link-booking.ts';
import { contentHashOf, prepareSigning, type SigningPlace } from './prepare-signing.ts';
import { signingAnswer, signingAnswerSchema, signingOf } from './signing-answer.ts';

const lateSigningSchema = z
  .object({
    id: z.string(),
    reason: z
      .string()
      .describe(
        'Why the signing could not be stored, as a problem code such as `already_signed`, `link_revoked`, `booking_cancelled` or `form_changed`.',
      ),
    names: z.array(z.string()).nullable().describe('Names of the guests; null for a viewer.'),
    email: z.string().nullable(),
    bookingSystem: z.string().nullable(),
    bookingId: z.string().nullable(),
    signedAt: z
      .string()
      .nullable()
      .describe('ISO 8601 time of the signing by the service’s clock; null if the signing cannot be read.'),
    receivedAt: dateTimeSchema,
    redacted: redactedSchema,
  })
  .meta({ id: 'LateSigning' });

const acceptBodySchema = z.strictObject({
  bookingSystem: z
    .string()
    .optional()
    .describe(
      'Install name. If omitted: the late signing’s own if the booking is the same, otherwise the pool’s default. Required if there is neither.',
    ),
  bookingId: bookingIdSchema
    .nullable()
    .optional()
    .describe(
      'The booking of the new waivers; null for none. If omitted, the `bookingId` of the late signing.',
    ),
  bookingGuestIds: z
    .array(bookingGuestIdSchema.nullable())
    .max(signingLimits.guests)
    .optional()
    .describe(
      'The booking’s guest id for each guest, in the order of the signing; null for none. If omitted, the ids in the signing, unless the booking lacks them.',
    ),
});

type AcceptBody = z.output<typeof acceptBodySchema>;

function answerOf(late: LateSigning, caller: Caller | null): z.input<typeof lateSigningSchema> {
  const { id, reason, bookingSystem, bookingId, receivedAt, summary } = late;
  const { names, email, signedAt } = lateSummarySchema.parse(JSON.parse(summary));
  const listed = { id, reason, bookingSystem, bookingId, signedAt, receivedAt };
  return seesGuests(caller)
    ? { ...listed, names, email }
    : { ...listed, names: null, email: null, redacted: true };
}

const notListed = (id: string) =>
  new HttpProblem(404, 'late_signing_not_found', `This pool lists no late signing ${JSON.stringify(id)}.`);

const unreadable = () =>
  new HttpProblem(409, 'no_signing', 'What arrived is no signing: there is nothing to store of it.');

/** The place that staff choose. */
async function placeOf(services: RouteServices, late: LateSigning, body: AcceptBody): Promise<SigningPlace> {
  const { pool } = late;
  const { bookingId = late.bookingId } = body;
  const timeZone = (await services.store.pools.get(pool))?.timeZone ?? 'UTC';
  const place = { id: late.link, pool, timeZone, bookingGuestId: null, expiresAt: null } as const;
  const kind = late.link === null ? 'unknown' : bookingId === null ? 'desk' : 'booking';
  if (bookingId === null) return { ...place, bookingSystem: null, bookingId, kind };
  const { bookingSystem: named } = body;
  // Checked even if the device named it.
  const known = bookingId === late.bookingId ? (late.bookingSystem ?? undefined) : undefined;
  const bookingSystem = await requireBookingSystem(services, pool, named ?? known);
  return { ...place, bookingSystem, bookingId, kind };
}

/** Sets the guests' ids: as staff chose, otherwise as signed, if the booking has them. */
async function withGuests(
  services: RouteServices,
  place: SigningPlace,
  signing: Signing,
  { bookingGuestIds: given }: AcceptBody,
  signal: AbortSignal,
): Promise<Signing> {
  const linked = await findOrReadLinkedBooking(services, place, { judgement: 'accepted', signal });
  const known = linked?.booking?.guests.flatMap(({ id }) => id ?? []);
  const guests = signing.guests.map(({ bookingGuestId: said, answers }, index) => {
    const isThere = said !== undefined && linked !== undefined && (known?.includes(said) ?? true);
    const id = given === undefined ? (isThere ? said : undefined) : given[index];
    return id ? { bookingGuestId: id, answers } : { answers };
  });
  return { ...signing, guests };
}

const url = '/v1/admin/pools/:pool/late-signings';

/** Signings that waited on a device and could not become waivers, and what staff do about them. */
export const lateSigningRoutes: RouteModule = (app, services) => {
  const { lateSignings, signings } = services.store;

  app.route({
    config: { access: 'viewer', audited: true },
    method: 'GET',
    url,
    schema: {
      operationId: 'listLateSignings',
      tags: ['Check-in'],
      summary: 'List the signings that arrived late and need attention, oldest first',
      params: poolPathSchema,
      querystring: pageQuerySchema,
      response: { 200: pageSchema(lateSigningSchema) },
    },
    handler: async ({ params: { pool }, query, caller }) => {
      await requirePool(services, pool);
      return pageOf(lateSignings.list(pool, query), (late) => answerOf(late, caller));
    },
  });

  app.route({
    config: {
      access: 'operator',
      problems: {
        409: 'What arrived cannot be read as a signing (`no_signing`), or several booking systems are installed and none is named (`booking_system_ambiguous`).',
        424: 'No booking system is installed for the pool (`not_installed`).',
      },
    },
    method: 'POST',
    url: `${url}/:id/accept`,
    schema: {
      operationId: 'acceptLateSigning',
      tags: ['Check-in'],
      summary: 'Store a late signing as waivers of its guests',
      description:
        'Uses the form version that was signed, and accepts the signing even if someone else has signed for a guest or the link no longer works.',
      params: poolIdPathSchema,
      body: acceptBodySchema,
      response: { 201: signingAnswerSchema },
    },
    handler: async ({ params: { pool, id }, body, caller, signal }, reply) => {
      const late = await lateSignings.get(pool, id);
      if (late === undefined) throw notListed(id);
      const { signing, address, userAgent, signedAt, clockAheadMs } = readKeptBody(late.body);
      if (signing === undefined) throw unreadable();
      const place = await placeOf(services, late, body);
      // Another signing, or voided waivers, already have the id.
      const isTaken = late.reason === 'signing_exists' || late.reason === 'waiver_voided';
      const placed = await withGuests(services, place, signing, body, signal);
      const store = async (as: string) => {
        const prepared = await prepareSigning(services, {
          ...{ place, address, userAgent, clockAheadMs, receivedAt: late.receivedAt },
          signedAt: signedAt === undefined ? late.receivedAt : new Date(signedAt),
          signing: { ...placed, id: as },
          judgement: 'accepted',
          contentHash: contentHashOf(signing),
          by: signingActorOf(caller),
          signal,
        });
        if ('changed' in prepared) throw new Error('an accepted signing is not judged by the form of today');
        return signings.store(prepared);
      };
      const result = await store(isTaken ? late.id : signing.id);
      // What was begun with its id is another's, or has ended.
      const isRefused = result.outcome === 'id-taken' || result.outcome === 'waiver-gone';
      const stored = signingOf(isRefused && !isTaken ? await store(late.id) : result);
      await lateSignings.remove(pool, id);
      return reply.code(201).send(signingAnswer(services, stored));
    },
  });

  app.route({
    config: { access: 'operator' },
    method: 'DELETE',
    url: `${url}/:id`,
    schema: {
      operationId: 'deleteLateSigning',
      tags: ['Check-in'],
      summary: 'Delete a late signing that is not needed',
      params: poolIdPathSchema,
      response: { 204: noContentSchema },
    },
    handler: async ({ params: { pool, id } }, reply) => {
      if (!(await lateSignings.remove(pool, id))) throw notListed(id);
      return reply.code(204).send(null);
    },
  });
};
