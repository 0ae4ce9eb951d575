import type { UsedCheckInLink } from '@waiver-service/store';
import type { KioskCaller, LinkedGuest } from '../authentication/caller.ts';
import type { Store } from '../given.ts';
import { linkKind } from './check-in-session.ts';
import { lateSignedAt } from './late-signed-at.ts';
import type { LateBody } from './late-signing.ts';
import type { SigningPlace } from './prepare-signing.ts';

/** The place of a signing that waited on a device. */
export type LatePlace = SigningPlace & {
  /** Why staff must decide where it belongs. */
  readonly problem?: 'link_unknown' | 'link_revoked' | 'link_expired' | 'kiosk_unknown' | 'kiosk_revoked';
};

/**
 * Why a link does not cover a signing that arrives now; undefined if it does. It may have expired since the signing. If
 * it was withdrawn, it may have been in the wrong hands, and only the device says when it was signed.
 */
function linkProblem(
  { revokedAt, expiresAt }: Pick<UsedCheckInLink, 'revokedAt' | 'expiresAt'>,
  signedAt: Date,
): LatePlace['problem'] {
  if (revokedAt !== null) return 'link_revoked';
  return expiresAt !== null && signedAt >= expiresAt ? 'link_expired' : undefined;
}

/** The place of a signing at a kiosk: the booking that was chosen there, if any. */
export const kioskPlace = (
  { id, pool, timeZone }: Pick<SigningPlace, 'id' | 'pool' | 'timeZone'>,
  booking: LateBody['booking'],
): SigningPlace => ({
  ...{ id, pool, timeZone, bookingGuestId: null, expiresAt: null, kind: 'kiosk' },
  bookingSystem: booking?.bookingSystem ?? null,
  bookingId: booking?.bookingId ?? null,
});

interface FoundPlace {
  readonly place: LatePlace;
  /** When it was signed, by the service's clock. */
  readonly signedAt: Date;
  readonly caller?: LinkedGuest | KioskCaller;
}

/** The place for the token in an envelope, and when it was signed there. */
export async function findLatePlace(
  { store }: { readonly store: Store },
  pool: string,
  body: LateBody,
  receivedAt: Date,
): Promise<FoundPlace> {
  const { token, booking } = body;
  const signedSince = (since: Date | null) => lateSignedAt(store, pool, body, { since, receivedAt });
  const kiosk = token.startsWith('wsk_') ? await store.kiosks.find(token) : undefined;
  if (kiosk !== undefined && kiosk.pool === pool) {
    const place = kioskPlace(kiosk, booking);
    return {
      place: kiosk.revokedAt === null ? place : { ...place, problem: 'kiosk_revoked' },
      signedAt: await signedSince(kiosk.pairedAt),
      caller: { kind: 'kiosk', kiosk },
    };
  }

  const link = await store.checkInLinks.find(token);
  if (link === undefined || link.pool !== pool) {
    // A kiosk that was paired again has another credential. The booking is still the one that was chosen there.
    const isKiosk = token.startsWith('wsk_');
    const timeZone = (await store.pools.get(pool))?.timeZone ?? 'UTC';
    const place = kioskPlace({ id: null, pool, timeZone }, isKiosk ? booking : undefined);
    const problem = isKiosk ? 'kiosk_unknown' : 'link_unknown';
    return { place: { ...place, kind: 'unknown', problem }, signedAt: await signedSince(null) };
  }
  const signedAt = await signedSince(link.createdAt);
  const problem = linkProblem(link, signedAt);
  const place = { ...link, kind: linkKind(link), ...(problem === undefined ? {} : { problem }) };
  return { place, signedAt, caller: { kind: 'guest', link } };
}
