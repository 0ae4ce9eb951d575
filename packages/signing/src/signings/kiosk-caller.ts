import type { Kiosk } from '@waiver-service/api';
import type { Caller } from '@waiver-service/http';
import type { ServiceIdentifier } from 'inversify';

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
export interface KioskCaller extends Caller {
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
