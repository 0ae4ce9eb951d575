import {
  createCheckInLink,
  findCheckInLink,
  type linkBodySchema,
  listCheckInLinks,
  revokeCheckInLink,
  showBookingLink,
} from '@waiver-service/api';
import {
  changeActorOf,
  type HostApp,
  HttpProblem,
  malformed,
  pageOf,
  type RouteModule,
  unknownPool,
} from '@waiver-service/http';
import {
  BaseUrl,
  BookingSystemResolver,
  checkInUrl,
  notInstalled,
  requireBookingSystem,
  requirePool,
} from '@waiver-service/integration';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import type { CheckInLink, CheckInPlace } from '../data/check-in-links.ts';
import { SigningStore } from '../data/signing-store.ts';
import { endOfLinks } from '../signings/signing-day.ts';

/** The address of the copy of what was signed. */
export const copyUrl = (baseUrl: string, token: string): string => `${baseUrl}/copies/${token}`;

const dayMs = 86_400_000;
/** How long a desk's link works by default, and the maximum for any link. */
const maxLinkMs = 366 * dayMs;

type LinkBody = z.output<typeof linkBodySchema>;

const linkAnswer = ({ pool: _, ...link }: CheckInLink) => ({ ...link, desk: link.bookingId === null });

function checkEnd(expiresAt: Date | undefined, now: Date): void {
  if (expiresAt === undefined) return;
  if (expiresAt > now && expiresAt.getTime() <= now.getTime() + maxLinkMs) return;
  throw malformed([{ path: 'expiresAt', message: 'is not in the future, or more than a year ahead' }]);
}

/** When a link ends, as far as is known now: its booking may not have been read yet, and may be moved. */
async function knownEnd(
  { store }: { readonly store: Pick<SigningStore, 'bookings'> },
  link: Pick<CheckInLink, 'pool' | 'bookingSystem' | 'bookingId' | 'expiresAt'>,
): Promise<Date | null> {
  const { pool, bookingSystem, bookingId, expiresAt } = link;
  if (expiresAt !== null || bookingSystem === null || bookingId === null) return expiresAt;
  const stored = await store.bookings.get(pool, bookingSystem, bookingId);
  return endOfLinks(stored?.fetched.booking.bookedSessions ?? []) ?? null;
}

/** @throws HttpProblem 424 `not_installed`, 400 for an unknown booking system, 409 if it must be named */
async function placeOf(services: CheckInLinkRoutes, pool: string, body: LinkBody): Promise<CheckInPlace> {
  const { bookingId, bookingGuestId } = body;
  if (bookingId === undefined) return { bookingSystem: null, bookingId: null, bookingGuestId: null };
  const bookingSystem = await requireBookingSystem(services, pool, body.bookingSystem);
  return { bookingSystem, bookingId, bookingGuestId: bookingGuestId ?? null };
}

const linkNotFound = () => new HttpProblem(404, 'link_not_found', 'This pool has no such link.');

/** The links by which guests reach the check-in page. */
@injectable()
export class CheckInLinkRoutes implements RouteModule {
  constructor(
    @inject(BaseUrl) readonly baseUrl: BaseUrl,
    @inject(SigningStore) readonly store: SigningStore,
    @inject(BookingSystemResolver) readonly bookingSystems: BookingSystemResolver,
  ) {}

  addRoutes(app: HostApp): void {
    const { checkInLinks } = this.store;

    app.route({
      ...createCheckInLink,
      handler: async ({ params: { pool }, body, caller }, reply) => {
        await requirePool(this, pool);
        const now = new Date();
        const given = body.expiresAt;
        checkEnd(given, now);
        const place = await placeOf(this, pool, body);
        const deskEnd = place.bookingId === null ? new Date(now.getTime() + maxLinkMs) : null;
        const { link, token } = await checkInLinks.create(pool, {
          ...place,
          expiresAt: given ?? deskEnd,
          createdBy: changeActorOf(caller)?.id ?? '',
        });
        const expiresAt = await knownEnd(this, link);
        return reply.code(201).send({ id: link.id, url: checkInUrl(this.baseUrl(), token), expiresAt });
      },
    });

    app.route({
      ...listCheckInLinks,
      handler: async ({ params: { pool }, query }) => {
        await requirePool(this, pool);
        return pageOf(checkInLinks.list(pool, { ...query, desk: query.desk === 'true' }), linkAnswer);
      },
    });

    app.route({
      ...revokeCheckInLink,
      handler: async ({ params: { pool, id } }, reply) => {
        if (!(await checkInLinks.revoke(pool, id))) throw linkNotFound();
        return reply.code(204).send(null);
      },
    });

    this.addFinding(app);
    this.addOfBooking(app);
  }

  /** `POST /v1/admin/pools/{pool}/check-in-links/find`: finds whose link was scanned. */
  private addFinding(app: HostApp): void {
    app.route({
      ...findCheckInLink,
      handler: async ({ params: { pool }, body: { token } }) => {
        const link = await this.store.checkInLinks.find(token);
        if (link === undefined || link.pool !== pool) throw linkNotFound();
        const { bookingSystem, bookingId: asked, bookingGuestId, revokedAt } = link;
        const bookingId =
          bookingSystem === null || asked === null
            ? null
            : await this.store.bookings.ownId({ pool, bookingSystem, bookingId: asked });
        return { bookingSystem, bookingId, bookingGuestId, revokedAt };
      },
    });
  }

  /** `POST /v1/admin/pools/{pool}/bookings/{booking_id}/check-in-link`: the booking system's own link, too. */
  private addOfBooking(app: HostApp): void {
    const { pools, forms, checkInLinks } = this.store;
    app.route({
      ...showBookingLink,
      handler: async ({ params: { pool, booking_id: bookingId }, query }) => {
        const setup = await pools.setup(pool);
        if (setup === undefined) throw unknownPool(pool);
        const bookingSystem = await requireBookingSystem(this, pool, query.bookingSystem);
        const destination = setup.versionOf(bookingSystem)?.destination;
        if (destination === undefined) throw notInstalled(setup, bookingSystem);
        if (!(await forms.hasPublished(pool))) throw nothingToSign();
        const booking = { pool, bookingSystem, bookingId };
        const token = await checkInLinks.ofBooking(booking, destination);
        if (token === undefined) throw revoked();
        return {
          url: checkInUrl(this.baseUrl(), token),
          expiresAt: await knownEnd(this, { ...booking, expiresAt: null }),
        };
      },
    });
  }
}

const nothingToSign = () =>
  new HttpProblem(409, 'no_form', 'The pool has no published form, so there is nothing to sign.');

const revoked = () =>
  new HttpProblem(409, 'link_revoked', 'The link of this booking was withdrawn: make a new one.');
