import { createHash } from 'node:crypto';
import {
  type GuestEntry,
  type InkEntry,
  type RevealingEntry,
  type SaltedEntry,
  type SealedAct,
  type SignerEntry,
  type SigningRecord,
  saltedEntry,
  sealRecord,
} from '@waiver-service/evidence';
import type {
  Act,
  Answer,
  ShownPage,
  Signing,
  SigningDay,
  SigningResult,
  SigningWaiver,
} from '@waiver-service/forms';
import type { BookingKey } from '@waiver-service/waivers';
import type { SignedEntry, SignedPart, SignedPhoto } from '../data/insert-record.ts';
import { type SignedWaiver, signedWaiverId } from '../data/signing-waivers.ts';
import type { NamedForm } from '../forms/published-forms.ts';

/** How a guest reached the form. */
export type SigningLinkKind = SigningRecord<unknown>['core']['link']['kind'];

/** Everything in a signing that is sealed. */
export interface SigningToSeal {
  readonly signing: Signing;
  readonly result: SigningResult;
  readonly form: NamedForm;
  readonly day: SigningDay;
  readonly timeZone: string;
  readonly booking: BookingKey | undefined;
  readonly linkKind: SigningLinkKind;
  readonly receivedAt: Date;
  readonly clockAheadMs: number | undefined;
  readonly address: string;
  readonly userAgent: string | undefined;
}

/** A sealed signing, ready to be stored. */
export interface SealedSigning {
  readonly leaf: string;
  readonly parts: readonly SignedPart[];
  readonly entries: readonly SignedEntry[];
  readonly photos: readonly SignedPhoto[];
}

const dayMs = 86_400_000;

// Only integers are sealed as numbers: programs differ in how they write others.
const sealable = (answer: Answer): Answer =>
  typeof answer === 'number' && !Number.isSafeInteger(answer) ? String(answer) : answer;

/** Answers as they can be sealed. */
export const sealableAnswers = (answers: Readonly<Record<string, Answer>>) =>
  Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, sealable(answer)]));

const sealedAct = ({ item, guest, at, ...act }: Act): SealedAct => ({
  item,
  guest,
  at,
  act: act.act,
  ...(act.act === 'sign' ? { method: act.method } : {}),
});

/** The drawn or typed entry; undefined for a consent, which is only ticked. */
function inkOf(act: Act): InkEntry | undefined {
  if (act.act === 'agree') return undefined;
  if (act.act === 'initial') return { initials: act.initials };
  if (act.method === 'type') return { name: act.name };
  return { strokes: act.strokes, width: act.width, height: act.height };
}

/** When a health answer is erased; null: together with the guest. */
function eraseAt(keepDays: number | null, { day, receivedAt }: SigningToSeal): Date | null {
  if (keepDays === null) return null;
  const from = Math.max(receivedAt.getTime(), Date.parse(`${day.date}T00:00:00Z`) + dayMs);
  return new Date(from + keepDays * dayMs);
}

/** Collects the entries beside the record. */
function createEntries() {
  const entries: SignedEntry[] = [];
  return {
    entries,
    add(
      { salt, text, hash }: SaltedEntry,
      of: Pick<SignedEntry, 'part' | 'guest'>,
      end: Date | null = null,
    ): { hash: string } {
      entries.push({ ...of, salt, text, hash, eraseAt: end });
      return { hash };
    },
  };
}

type Entries = ReturnType<typeof createEntries>;

function sealPerson({ signing, result }: SigningToSeal, { add }: Entries) {
  const { guardian } = result;
  const signer: SignerEntry = {
    takesPart: signing.signer.takesPart,
    ...(guardian === null ? {} : { guardian: { ...guardian } }),
  };
  return {
    guests: result.waivers.map(({ guest, bookingGuestId, answers }) => {
      const entry: GuestEntry = {
        waiver: signedWaiverId(signing.id, guest),
        ...(bookingGuestId === undefined ? {} : { bookingGuestId }),
        answers: sealableAnswers(answers),
      };
      return add(saltedEntry(entry), { part: 'person', guest });
    }),
    signer: add(saltedEntry(signer), { part: 'person', guest: null }),
  };
}

function sealSensitive(toSeal: SigningToSeal, revealing: RevealingEntry<ShownPage>, { add }: Entries) {
  const { health } = toSeal.result;
  const ends = health.flatMap(({ keepDays }) => keepDays ?? []);
  // An item that reveals answers is erased with the first of them.
  const end = eraseAt(ends.length === 0 ? null : Math.min(...ends), toSeal);
  return {
    shown:
      revealing.shown.length === 0
        ? null
        : add(saltedEntry(revealing), { part: 'sensitive', guest: null }, end),
    health: health.map(({ guest, item, value, keepDays }) => ({
      guest,
      item,
      ...add(saltedEntry(sealable(value)), { part: 'sensitive', guest }, eraseAt(keepDays, toSeal)),
    })),
  };
}

function sealInk(
  acts: readonly Act[],
  { photos }: SigningResult,
  stored: readonly SignedPhoto[],
  { add }: Entries,
) {
  return {
    acts: acts.flatMap((act, index) => {
      const ink = inkOf(act);
      return ink === undefined
        ? []
        : [{ act: index, ...add(saltedEntry(ink), { part: 'ink', guest: act.guest }) }];
    }),
    photos: photos.map(({ item, guest, photo: { id, type } }, index) => ({
      id,
      item,
      guest,
      type,
      hash: stored[index]?.hash ?? '',
    })),
  };
}

const photosOf = ({ photos }: SigningResult): SignedPhoto[] =>
  photos.map(({ guest, photo: { id, type, data } }) => {
    const bytes = Buffer.from(data, 'base64');
    return { id, guest, type, hash: createHash('sha256').update(bytes).digest('hex'), data: bytes };
  });

/** Seals a complete signing (answers, acts, what was shown), so that it can be verified independently. */
export function sealSigning(toSeal: SigningToSeal): SealedSigning {
  const { signing, result, form, day, timeZone, booking, linkKind, receivedAt, clockAheadMs } = toSeal;
  const entries = createEntries();
  const revealing = new Set(result.shownForHealth.flatMap(({ items }) => items.map(({ item }) => item)));
  const acts = result.acts.filter(({ item }) => !revealing.has(item));
  const revealingActs = result.acts.filter(({ item }) => revealing.has(item));
  const photos = photosOf(result);
  const record: SigningRecord<ShownPage> = {
    core: {
      kind: 'signing',
      signing: signing.id,
      form: { id: form.form, name: form.name, version: form.version, hash: form.hash },
      language: signing.language,
      shown: result.shown,
      acts: acts.map(sealedAct),
      booking: booking === undefined ? null : { bookingSystem: booking.bookingSystem, id: booking.bookingId },
      day: { ...day, timeZone },
      link: { kind: linkKind },
      times: {
        openedAt: signing.times.openedAt,
        signedAt: signing.times.signedAt,
        receivedAt: receivedAt.toISOString(),
        ...(clockAheadMs === undefined ? {} : { clockAheadMs }),
      },
    },
    person: sealPerson(toSeal, entries),
    sensitive: sealSensitive(
      toSeal,
      { shown: result.shownForHealth, acts: revealingActs.map(sealedAct) },
      entries,
    ),
    ink: sealInk(acts, result, photos, entries),
    trace: {
      address: toSeal.address,
      userAgent: toSeal.userAgent ?? null,
      pages: signing.times.pages ?? [],
      ...(signing.times.translatedAt === undefined ? {} : { translatedAt: signing.times.translatedAt }),
    },
  };
  return { ...sealRecord(record), entries: entries.entries, photos };
}

/**
 * The waivers of a signing's guests, as they are stored.
 * @param validUntil null while they are not signed
 */
export const signedWaivers = (
  waivers: readonly SigningWaiver[],
  booking: BookingKey | undefined,
  { activities }: SigningDay,
  validUntil: string | null,
): SignedWaiver[] =>
  waivers.map(({ bookingGuestId, answers }) => ({
    bookingSystem: booking?.bookingSystem ?? null,
    bookingId: booking?.bookingId ?? null,
    bookingGuestId: bookingGuestId ?? null,
    activities,
    validUntil,
    answers: Object.fromEntries(
      Object.entries(answers).map(([name, answer]) => [
        name,
        typeof answer === 'object' ? [...answer] : answer,
      ]),
    ),
  }));
