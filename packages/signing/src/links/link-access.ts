import type { Kiosk } from '@waiver-service/api';
import {
  bearerToken,
  type Caller,
  countedAddress,
  createFailureThrottle,
  type HostApp,
  HttpProblem,
  type RouteModule,
} from '@waiver-service/http';
import type { FastifyRequest } from 'fastify';
import { inject, injectable, multiInject, type ServiceIdentifier } from 'inversify';
import type { UsedCheckInLink } from '../data/check-in-links.ts';
import { SigningStore } from '../data/signing-store.ts';

// Guests behind one address, such as a hotel's, may all have an outdated link.
const wrongLinksPerMinute = 60;

const refused = (code: string, message: string) => new HttpProblem(401, code, message);

const unknownLink = () => refused('link_unknown', 'There is no such link. Ask the operator for a new one.');
const revokedLink = () => refused('link_revoked', 'This link was withdrawn. Ask the operator for a new one.');

/** 401: the link has expired. */
export const expiredLink = (): HttpProblem =>
  refused('link_expired', 'This link has expired. Ask the operator for a new one.');

/** A guest, by the token of a check-in link. */
export interface LinkedGuest extends Caller {
  readonly kind: 'guest';
  readonly pool: string;
  readonly link: UsedCheckInLink;
}

export const linkedGuest = (link: UsedCheckInLink): LinkedGuest => ({
  kind: 'guest',
  actor: `check-in-link:${link.id}`,
  name: null,
  pool: link.pool,
  seesGuests: false,
  link,
});

export const isGuest = (caller: Caller | null): caller is LinkedGuest => caller?.kind === 'guest';

/** The guest who makes a request to a route that takes a link's token. */
export function guestOf({ caller }: Pick<FastifyRequest, 'caller'>): LinkedGuest {
  if (!isGuest(caller)) throw new Error('this route is for guests');
  return caller;
}

function requireValid(link: UsedCheckInLink, now: Date): void {
  if (link.revokedAt !== null) throw revokedLink();
  if (link.expiresAt !== null && link.expiresAt <= now) throw expiredLink();
}

/** Bound by the route modules that the check-in page calls, with the token of its link. */
export const LinkRoutes: ServiceIdentifier<RouteModule> = Symbol('LinkRoutes');

/**
 * Admits guests with a valid link to the {@link LinkRoutes}, before the body is read. If a link's end depends on its
 * booking, the routes check it.
 */
@injectable()
export class GuestRoutes implements RouteModule {
  constructor(
    @inject(SigningStore) private readonly store: SigningStore,
    @multiInject(LinkRoutes) private readonly routes: readonly RouteModule[],
  ) {}

  addRoutes(app: HostApp): void {
    const throttle = createFailureThrottle(wrongLinksPerMinute);
    app.register(async (scope: HostApp) => {
      scope.addHook('onRequest', async (request) => {
        const token = bearerToken(request);
        const link = token?.startsWith('wsg_') ? await this.store.checkInLinks.find(token) : undefined;
        if (link === undefined) {
          throttle.record({ caller: countedAddress(request.ip), key: token });
          throw unknownLink();
        }
        // For the log, even if the request is refused.
        request.caller = linkedGuest(link);
        // Whoever has a link that was withdrawn is a stranger.
        if (link.revokedAt !== null) throttle.record({ caller: countedAddress(request.ip), key: token });
        requireValid(link, new Date());
      });
      for (const routes of this.routes) await routes.addRoutes(scope);
    });
  }
}

/** A kiosk that is calling. */
export interface UsedKiosk extends Kiosk {
  readonly pool: string;
  /** JSON that the tablet checks the PIN against. */
  readonly pinVerifier: string;
  readonly poolName: string;
  readonly timeZone: string;
  readonly revokedAt: Date | null;
}

/** The kiosk of a credential, even if revoked. */
export type FindKiosk = (token: string) => Promise<UsedKiosk | undefined>;
export const FindKiosk: ServiceIdentifier<FindKiosk> = Symbol('FindKiosk');

/** A tablet on which guests sign, by its credential. */
interface KioskCaller extends Caller {
  readonly kind: 'kiosk';
  readonly pool: string;
  readonly kiosk: UsedKiosk;
}

export const kioskCaller = (kiosk: UsedKiosk): KioskCaller => ({
  kind: 'kiosk',
  actor: `kiosk:${kiosk.id}`,
  name: kiosk.name,
  pool: kiosk.pool,
  seesGuests: false,
  kiosk,
});

export const isKiosk = (caller: Caller | null): caller is KioskCaller => caller?.kind === 'kiosk';
