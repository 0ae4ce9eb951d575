import { createHash } from 'node:crypto';
import {
  checkSigning,
  loadSentences,
  type PublishedForm,
  type Signing,
  type SigningDay,
  type SigningProblem,
  type SigningResult,
} from '@waiver-service/forms';
import { HttpProblem, malformed } from '@waiver-service/http';
import { validWaivers } from '@waiver-service/integration';
import type { BookingWaiver } from '@waiver-service/store';
import type { Actor } from '@waiver-service/waivers';
import type { UsedCheckInLink } from '../data/check-in-links.ts';
import type { SigningStore } from '../data/signing-store.ts';
import type { NewSigning } from '../data/store-signing.ts';
import { copyRecipient, signerEmail } from '../documents/copy-routes.ts';
import { chooseForm, type NamedForm, publishedForm, publishedForms } from '../forms/published-forms.ts';
import {
  findOrReadLinkedBooking,
  type LinkedBooking,
  type OpenedBookings,
  requireOpen,
} from '../links/link-booking.ts';
import { noForm } from '../links/session-route.ts';
import type { SigningSettings } from '../signing-settings.ts';
import { type SigningLinkKind, sealSigning, signedWaivers } from './seal-signing.ts';
import { signingDay, signingEnd } from './signing-day.ts';

/** A form that a guest has to sign instead of the one that was sent. */
export interface FormChanged {
  readonly changed: NamedForm;
}

type FormReference = Pick<Signing, 'form' | 'version'>;

const dayMs = 86_400_000;

const maxLateDays = 30;

/** Whether a signing can have waited on a device since a given time. */
const isWithinLateDays = (since: Date, now: Date): boolean =>
  now.getTime() - since.getTime() < maxLateDays * dayMs;

/** When a form or its version was replaced, or archived; undefined if it is the one to sign. */
async function replacedAt(
  { forms }: Pick<SigningStore, 'forms'>,
  pool: string,
  { form, version }: FormReference,
): Promise<Date | undefined> {
  const [next, summary] = await Promise.all([forms.version(pool, form, version + 1), forms.get(pool, form)]);
  return next?.publishedAt ?? summary?.archivedAt ?? undefined;
}

/**
 * The form that a guest has signed, as it was published.
 * @returns the form as published, or the form to sign instead
 * @throws HttpProblem 400 for a form or version that was never published, 404 `no_form`
 */
export async function formOfSigning(
  store: Pick<SigningStore, 'forms'>,
  pool: string,
  { form, version }: FormReference,
  { day, judgement, now }: { readonly day: SigningDay; readonly judgement: Judgement; readonly now: Date },
): Promise<NamedForm | FormChanged> {
  const { forms } = store;
  const current = chooseForm(await publishedForms(forms, pool), day.activities);
  if (current?.form === form && current.version === version) return current;
  const former = await forms.version(pool, form, version);
  if (former === undefined) {
    const message = `the pool has no form ${JSON.stringify(form)} with a version ${version}`;
    throw malformed([{ path: 'form', message }]);
  }
  if (judgement === 'accepted') return publishedForm(former);
  if (judgement === 'late') {
    const since = await replacedAt(store, pool, { form, version });
    if (since === undefined || isWithinLateDays(since, now)) return publishedForm(former);
  }
  if (current === undefined) throw noForm();
  // A guest who had an older version's page open may sign it, if the new version accepts earlier signings.
  const isEnough = current.form === form && current.content.reuse === 'form';
  return isEnough ? publishedForm(former) : { changed: current };
}

/** 400 of a signing: with the problems as the page shows them, in the guest's language. */
export class InvalidSigning extends HttpProblem {
  readonly problems: readonly SigningProblem[];
  constructor(problems: readonly SigningProblem[]) {
    super(
      400,
      'signing_invalid',
      problems
        .map(({ message }) => message)
        .join(' ')
        .slice(0, 1_000),
      {
        errors: problems.slice(0, 50).map(({ field, message }) => ({ path: field, message })),
      },
    );
    this.problems = problems.slice(0, 50);
  }
}

/** Evaluates again, on the server, what the browser sent. @throws InvalidSigning */
async function evaluateSigning(
  { content }: PublishedForm,
  signing: Signing,
  day: SigningDay,
): Promise<SigningResult> {
  const checked = checkSigning(content, signing, day, await loadSentences(signing.language));
  if (!checked.ok) throw new InvalidSigning(checked.problems);
  return checked.result;
}

/** 403: the link is for another guest. */
export const notOfLink = (id: string) =>
  new HttpProblem(
    403,
    'guest_not_of_link',
    `This link is not for the guest ${JSON.stringify(id)} of the booking.`,
  );

/**
 * Keeps a signing to the guests that its link is for: those of the booking; on a link to one guest, that guest and the
 * minors for whom they sign.
 * @throws HttpProblem 403 `guest_not_of_link`
 */
export function requireGuestsOfLink(
  link: Pick<UsedCheckInLink, 'bookingGuestId'>,
  linked: LinkedBooking | undefined,
  guests: readonly { readonly bookingGuestId?: string; readonly isMinor: boolean }[],
): void {
  const known = linked?.booking?.guests.flatMap(({ id }) => id ?? []);
  for (const { bookingGuestId: id, isMinor } of guests) {
    if (id === undefined) continue;
    if (linked === undefined || (known !== undefined && !known.includes(id))) throw notOfLink(id);
    if (link.bookingGuestId !== null && id !== link.bookingGuestId && !isMinor) throw notOfLink(id);
  }
}

/**
 * A waiver that expires before the last session does not count.
 * @throws HttpProblem 409 `already_signed`
 */
export function requireNotSigned(
  signing: {
    readonly id: string;
    readonly guests: readonly { readonly bookingGuestId?: string | undefined }[];
  },
  { booking }: LinkedBooking,
  waivers: readonly BookingWaiver[],
  { timeZone }: Pick<UsedCheckInLink, 'timeZone'>,
): void {
  const signed = validWaivers(booking, waivers, timeZone).filter(
    ({ id, currentPage }) => currentPage === null && !id.startsWith(`${signing.id}-`),
  );
  const again = signing.guests.find(
    ({ bookingGuestId }) =>
      bookingGuestId !== undefined && signed.some((waiver) => waiver.bookingGuestId === bookingGuestId),
  );
  if (again === undefined) return;
  throw new HttpProblem(
    409,
    'already_signed',
    `The guest ${JSON.stringify(again.bookingGuestId)} has signed already.`,
  );
}

/**
 * How a signing is judged:
 *
 * - `now`: its guest waits for the answer, and can sign again.
 * - `late`: it waited on a device. It is judged as of when it was signed; a form that was replaced since is accepted.
 * - `accepted`: staff have decided. Only what makes waivers impossible is refused.
 */
type Judgement = 'now' | 'late' | 'accepted';

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
  services: {
    readonly store: SigningStore;
    readonly openedBookings: OpenedBookings;
    readonly settings: SigningSettings;
  },
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
