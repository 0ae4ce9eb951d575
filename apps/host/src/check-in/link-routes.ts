import { bookingGuestIdSchema, bookingIdSchema } from '@waiver-service/core';
import type { CheckInLink, CheckInPlace, Store } from '@waiver-service/store';
import { z } from 'zod';
import { poolIdPathSchema, poolPathSchema, requirePool } from '../admin-routes/admin-paths.ts';
import { noContentSchema } from '../admin-routes/no-content.ts';
import { changeActorOf } from '../authentication/caller.ts';
import type { RouteServices } from '../container/route-services.ts';
import { dateTimeSchema, timeSchema } from '../http/date-time.ts';
import type { RouteModule } from '../http/host-app.ts';
import { HttpProblem, malformed } from '../http/http-problem.ts';
import { pageOf, pageQueryFields, pageSchema } from '../http/pages.ts';
import { requireBookingSystem } from '../waiver-routes/link-booking-system.ts';
import { checkInUrl } from './check-in-url.ts';
import { endOfLinks } from './signing-day.ts';

const dayMs = 86_400_000;
/** How long a desk's link works by default, and the maximum for any link. */
const maxLinkMs = 366 * dayMs;

const linkFields = {
  bookingSystem: z.string().nullable(),
  bookingId: z.string().nullable(),
  bookingGuestId: z.string().nullable(),
  desk: z.boolean(),
  expiresAt: dateTimeSchema.nullable(),
};

const linkSchema = z
  .object({
    id: z.string(),
    ...linkFields,
    createdAt: dateTimeSchema,
    createdBy: z.string(),
    revokedAt: dateTimeSchema.nullable(),
  })
  .describe('A check-in link without its token, which is shown only when the link is created.');

const linkBodySchema = z
  .strictObject({
    bookingId: bookingIdSchema
      .optional()
      .describe('The booking that guests check in to. Required unless `desk` is true.'),
    bookingSystem: z
      .string()
      .optional()
      .describe('Install name; the pool’s default booking system if omitted.'),
    bookingGuestId: bookingGuestIdSchema
      .optional()
      .describe(
        'Limits the link to this guest of the booking; the page is pre-filled with the guest’s data.',
      ),
    desk: z.literal(true).optional().describe('true for a link of the pool’s desk, without a booking.'),
    expiresAt: timeSchema
      .optional()
      .describe(
        'When the link expires, at most 366 days ahead. If omitted: 48 hours after the booking’s last session ends, even if it is rescheduled; for a desk, 366 days.',
      ),
  })
  .refine(({ bookingId, desk }) => (bookingId === undefined) === (desk === true), {
    path: ['bookingId'],
    message: 'either a bookingId or desk: true is needed, and not both',
  })
  .refine(({ bookingId, bookingGuestId }) => bookingGuestId === undefined || bookingId !== undefined, {
    path: ['bookingGuestId'],
    message: 'needs the bookingId',
  });

type LinkBody = z.output<typeof linkBodySchema>;

const linkAnswer = ({ pool: _, ...link }: CheckInLink) => ({ ...link, desk: link.bookingId === null });

function checkEnd(expiresAt: Date | undefined, now: Date): void {
  if (expiresAt === undefined) return;
  if (expiresAt > now && expiresAt.getTime() <= now.getTime() + maxLinkMs) return;
  throw malformed([{ path: 'expiresAt', message: 'is not in the future, or more than a year ahead' }]);
}

/** When a link ends, as far as is known now: its booking may not have been read yet, and may be moved. */
export async function knownEnd(
  { store }: { readonly store: Pick<Store, 'bookings'> },
  link: Pick<CheckInLink, 'pool' | 'bookingSystem' | 'bookingId' | 'expiresAt'>,
): Promise<Date | null> {
  const { pool, bookingSystem, bookingId, expiresAt } = link;
  if (expiresAt !== null || bookingSystem === null || bookingId === null) return expiresAt;
  const stored = await store.bookings.get(pool, bookingSystem, bookingId);
  return endOfLinks(stored?.fetched.booking.bookedSessions ?? []) ?? null;
}

/** @throws HttpProblem 424 `not_installed`, 400 for an unknown booking system, 409 if it must be named */
async function placeOf(services: RouteServices, pool: string, body: LinkBody): Promise<CheckInPlace> {
  const { bookingId, bookingGuestId } = body;
  if (bookingId === undefined) return { bookingSystem: null, bookingId: null, bookingGuestId: null };
  const bookingSystem = await requireBookingSystem(services, pool, body.bookingSystem);
  return { bookingSystem, bookingId, bookingGuestId: bookingGuestId ?? null };
}

const linkNotFound = () => new HttpProblem(404, 'link_not_found', 'This pool has no such link.');

const foundLinkSchema = z
  .object({
    bookingSystem: z.string().nullable(),
    bookingId: z
      .string()
      .nullable()
      .describe(
        'The id that the booking itself has, even if the link was created with another; null for a desk link.',
      ),
    bookingGuestId: z.string().nullable(),
    revokedAt: dateTimeSchema.nullable(),
  })
  .meta({ id: 'FoundCheckInLink' });

/** `POST /v1/admin/pools/{pool}/check-in-links/find`: finds whose link was scanned. */
export const findLinkRoute: RouteModule = (app, { store }) => {
  app.route({
    config: { access: 'operator', audited: 'once-a-minute' },
    method: 'POST',
    url: '/v1/admin/pools/:pool/check-in-links/find',
    schema: {
      operationId: 'findCheckInLink',
      tags: ['Check-in'],
      summary: 'Find the booking of a link that a guest shows',
      description:
        'Finds expired and revoked links, too. The token is sent in the body because it is a secret.',
      params: poolPathSchema,
      body: z.strictObject({
        token: z.string().min(1).max(200).describe('The token, which is the last path segment of the link.'),
      }),
      response: { 200: foundLinkSchema },
    },
    handler: async ({ params: { pool }, body: { token } }) => {
      const link = await store.checkInLinks.find(token);
      if (link === undefined || link.pool !== pool) throw linkNotFound();
      const { bookingSystem, bookingId: asked, bookingGuestId, revokedAt } = link;
      const bookingId =
        bookingSystem === null || asked === null
          ? null
          : await store.bookings.ownId({ pool, bookingSystem, bookingId: asked });
      return { bookingSystem, bookingId, bookingGuestId, revokedAt };
    },
  });
};

const url = '/v1/pools/:pool/check-in-links';

/** The links by which guests reach the check-in page. */
export const checkInLinkRoutes: RouteModule = (app, services) => {
  const { checkInLinks } = services.store;

  app.route({
    config: {
      access: 'check-in:write',
      problems: {
        409: 'Several booking systems are installed and none is named (`booking_system_ambiguous`).',
        424: 'No booking system is installed for the pool (`not_installed`).',
      },
    },
    method: 'POST',
    url,
    schema: {
      operationId: 'createCheckInLink',
      tags: ['Check-in'],
      summary: 'Create a link that guests use to sign on their phones',
      params: poolPathSchema,
      body: linkBodySchema,
      response: {
        201: z.object({
          id: z.string(),
          url: z.url().describe('The link with its token, which is shown only here.'),
          expiresAt: dateTimeSchema
            .nullable()
            .describe('When the link expires; null until the booking’s sessions are known.'),
        }),
      },
    },
    handler: async ({ params: { pool }, body, caller }, reply) => {
      await requirePool(services, pool);
      const now = new Date();
      const given = body.expiresAt;
      checkEnd(given, now);
      const place = await placeOf(services, pool, body);
      const deskEnd = place.bookingId === null ? new Date(now.getTime() + maxLinkMs) : null;
      const { link, token } = await checkInLinks.create(pool, {
        ...place,
        expiresAt: given ?? deskEnd,
        createdBy: changeActorOf(caller)?.id ?? '',
      });
      const expiresAt = await knownEnd(services, link);
      return reply.code(201).send({ id: link.id, url: checkInUrl(services.baseUrl(), token), expiresAt });
    },
  });

  app.route({
    config: { access: 'check-in:write' },
    method: 'GET',
    url,
    schema: {
      operationId: 'listCheckInLinks',
      tags: ['Check-in'],
      summary: 'List the check-in links of a pool',
      params: poolPathSchema,
      querystring: z.strictObject({
        ...pageQueryFields,
        bookingId: bookingIdSchema.optional(),
        desk: z.literal('true').optional().describe('Whether to list only links of the pool’s desk.'),
      }),
      response: { 200: pageSchema(linkSchema) },
    },
    handler: async ({ params: { pool }, query }) => {
      await requirePool(services, pool);
      return pageOf(checkInLinks.list(pool, { ...query, desk: query.desk === 'true' }), linkAnswer);
    },
  });

  app.route({
    config: { access: 'check-in:write' },
    method: 'DELETE',
    url: `${url}/:id`,
    schema: {
      operationId: 'revokeCheckInLink',
      tags: ['Check-in'],
      summary: 'Revoke a check-in link',
      params: poolIdPathSchema,
      response: { 204: noContentSchema },
    },
    handler: async ({ params: { pool, id } }, reply) => {
      if (!(await checkInLinks.revoke(pool, id))) throw linkNotFound();
      return reply.code(204).send(null);
    },
  });
};
