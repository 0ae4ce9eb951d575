import type { Caller } from '@waiver-service/http';
import type { UsedKiosk } from '@waiver-service/store';

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
