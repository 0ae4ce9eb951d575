import { createHash } from 'node:crypto';
import type { Signing } from '@waiver-service/forms';
import type { BookingWaiver, NewSigning, UsedCheckInLink } from '@waiver-service/store';
import type { Actor } from '@waiver-service/waivers';
import type { BookingReader } from '../booking-reading/booking-reader.ts';
import type { Store } from '../given.ts';
import type { HostSettings } from '../settings/host-settings.ts';
import { copyRecipient, signerEmail } from './copy-recipient.ts';
import { findOrReadLinkedBooking, requireOpen } from './link-booking.ts';
import { type SigningLinkKind, sealSigning } from './seal-signing.ts';
import { signedWaivers } from './signed-waivers.ts';
import {
  evaluateSigning,
  type FormChanged,
  formOfSigning,
  isWithinLateDays,
  requireGuestsOfLink,
  requireNotSigned,
} from './signing-checks.ts';
import { signingDay, signingEnd } from './signing-day.ts';

/**
 * How a signing is judged:
 *
 * - `now`: its guest waits for the answer, and can sign again.
 * - `late`: it waited on a device. It is judged as of when it was signed; a form that was replaced since is accepted.
 * - `accepted`: staff have decided. Only what makes waivers impossible is refused.
 */
export type Judgement = 'now' | 'late' | 'accepted';

/** The place of a signing, as given by a link. */
export type SigningPlace = Pick<
  UsedCheckInLink,
  'pool' | 'timeZone' | 'bookingSystem' | 'bookingId' | 'bookingGuestId' | 'expiresAt'
> & {
  /** Of the link or kiosk; null if it is unknown. */
  readonly id: string | null;
  readonly kind: SigningLinkKind;
};

/** A signing that arrived. */
export interface ArrivedSigning {
  readonly signing: Signing;
  readonly place: SigningPlace;
  readonly judgement: Judgement;
  /** {@link contentHashOf} of what the device sent, if staff have changed it. */
  readonly contentHash?: string;
  readonly receivedAt: Date;
  /** By the service's clock; {@link receivedAt} if the guest waits. */
  readonly signedAt: Date;
  /** How far the device's clock was ahead, if it waited there and this is known. */
  readonly clockAheadMs?: number | undefined;
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly by: Actor;
  /** Aborts when the sender no longer waits. */
  readonly signal: AbortSignal;
}

/** Identifies a repeated signing. */
export const contentHashOf = (signing: Signing): string =>
  createHash('sha256').update(JSON.stringify(signing)).digest('hex');

/**
 * Checks a signing against its place and its form, and seals it.
 * @returns the prepared signing, or the form to sign instead
 * @throws HttpProblem for one that cannot be stored
 */
export async function prepareSigning(
  services: { readonly store: Store; readonly bookingReader: BookingReader; readonly settings: HostSettings },
  arrived: ArrivedSigning,
): Promise<NewSigning | FormChanged> {
  const { store } = services;
  const { signing, place, judgement, receivedAt, signedAt: at, address, userAgent, by } = arrived;
  const { pool, timeZone } = place;
  const booking = await findOrReadLinkedBooking(services, place, arrived);
  if (booking?.booking !== undefined && judgement !== 'accepted') requireOpen(place, booking.booking, at);
  const day = signingDay(booking?.booking?.bookedSessions ?? [], timeZone, at);
  const form = await formOfSigning(store, pool, signing, { day, judgement, now: receivedAt });
  if ('changed' in form) return form;
  const result = await evaluateSigning(form, signing, day);
  requireGuestsOfLink(
    place,
    booking,
    result.waivers.map(({ answers, ...guest }) => ({ ...guest, isMinor: answers.minor === true })),
  );
  const requireUnsigned =
    booking === undefined || judgement === 'accepted'
      ? undefined
      : (waivers: readonly BookingWaiver[]) => requireNotSigned(signing, booking, waivers, place);
  // Before the work of sealing. What decides is the look while the guests are locked.
  if (booking !== undefined) requireUnsigned?.(await store.waivers.forBooking(booking));
  const sealed = sealSigning({
    ...{ signing, result, form, day, timeZone, booking, receivedAt, address, userAgent },
    clockAheadMs: arrived.clockAheadMs,
    linkKind: place.kind,
  });
  return {
    ...sealed,
    pool,
    id: signing.id,
    link: place.id,
    form: form.form,
    formVersion: form.version,
    language: signing.language,
    contentHash: arrived.contentHash ?? contentHashOf(signing),
    receivedAt,
    // A time further off is unreliable: with it, the waiver would be deleted too early.
    signedAt: isWithinLateDays(at, receivedAt) ? at : receivedAt,
    signerTakesPart: signing.signer.takesPart,
    isByStaff: judgement === 'accepted',
    flags: result.flags,
    copyTo: copyRecipient(services, signerEmail(form.content, signing, result.waivers), signing.language),
    waivers: signedWaivers(result.waivers, booking, day, signingEnd(form.content, booking, day, timeZone)),
    requireNotSigned: requireUnsigned,
    by,
  };
}
