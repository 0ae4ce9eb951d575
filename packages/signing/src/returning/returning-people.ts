import { nameKey } from '@waiver-service/core';
import type { RevealingEntry } from '@waiver-service/evidence';
import {
  type Answer,
  type FormContent,
  type GivenAnswers,
  loadSentences,
  type ShownPage,
} from '@waiver-service/forms';
import { HttpProblem } from '@waiver-service/http';
import { lastDayOf } from '@waiver-service/integration';
import type { UsedCheckInLink } from '../data/check-in-links.ts';
import type { ReusableWaiver, SigningStore } from '../data/signing-store.ts';
import { entryOf, partOf } from '../documents/signing-document.ts';
import { chooseForm, type NamedForm, publishedForm, publishedForms } from '../forms/published-forms.ts';
import type { LinkedBooking } from '../links/link-booking.ts';
import { signingDay } from '../signings/signing-day.ts';
import { type EarlierSigning, type SignAgainReason, signAgainReason, type Visit } from './sign-again.ts';

/** The words of a name, in any order: "Bäcker, Zoë" is "Zoe Backer". */
const wordsOf = (name: string) => nameKey(name).split(' ').toSorted().join(' ');

/** A record that contains an address. */
interface AddressRecord {
  readonly name: string | undefined;
  readonly dateOfBirth: string | undefined;
}

/**
 * Among the records with an address, those of the guest whom a booking names with this address. A whole family often
 * has the booker's address: then only the name identifies the guest, and not even that for a father and a son of the
 * same name.
 *
 * @returns none if that is ambiguous, such as for a guest without a name
 */
export function recordsOfGuest<Found extends AddressRecord>(
  guestName: string | undefined,
  records: readonly Found[],
): readonly Found[] {
  const wanted = wordsOf(guestName ?? '');
  const own = records.filter(({ name }) => wanted !== '' && wordsOf(name ?? '') === wanted);
  const people = new Set(
    own.map(({ name, dateOfBirth }) => JSON.stringify([wordsOf(name ?? ''), dateOfBirth])),
  );
  return people.size === 1 ? own : [];
}

type Services = { readonly store: SigningStore };

/** A person who may confirm what was signed for them before. */
export interface ReturningPerson {
  readonly waiver: ReusableWaiver;
  readonly name: string | undefined;
  readonly isMinor: boolean;
  /** The version that was signed. */
  readonly form: NamedForm;
}

/** The visit of a link, and its form with the name. */
export interface NamedVisit extends Visit {
  readonly form: NamedForm | undefined;
}

/** Who a guest is. */
export interface KnownGuest {
  readonly email: string;
  /** Undefined if a code proves the address: then everyone with that address is included. */
  readonly name?: string | undefined;
  readonly proof: 'link' | 'code';
}

// The maximum number examined per address: a family has few, and a club's desk signs by other means.
const maxSignings = 20;

/** The visit that a link is for. */
export async function visitOf(
  { store }: Services,
  link: UsedCheckInLink,
  linked: LinkedBooking | undefined,
  now: Date,
): Promise<NamedVisit> {
  const sessions = linked?.booking?.bookedSessions ?? [];
  const day = signingDay(sessions, link.timeZone, now);
  const form = chooseForm(await publishedForms(store.forms, link.pool), day.activities);
  return { day, lastDay: lastDayOf(sessions, link.timeZone) ?? day.date, form };
}

/** The guest of a link to one guest, by their address in the booking; undefined without one. */
export function guestOfLink(
  { bookingGuestId }: UsedCheckInLink,
  linked: LinkedBooking | undefined,
): KnownGuest | undefined {
  const guest = linked?.booking?.guests.find(({ id }) => id !== undefined && id === bookingGuestId);
  const email = guest?.email?.trim();
  return email ? { email, name: guest?.name, proof: 'link' } : undefined;
}

const textOf = (answer: unknown) => (typeof answer === 'string' ? answer : undefined);

const personOf = ({ answers }: ReusableWaiver) => ({
  name: textOf(answers.name),
  dateOfBirth: textOf(answers.dateOfBirth),
});

/** Whether a form asks about health. */
export const asksHealth = ({ pages }: FormContent): boolean =>
  pages.some(({ items }) => items.some((item) => item.type === 'ask' && item.sensitive === 'health'));

/** The people behind some waivers of one signing; undefined if its record is erased, or its form is gone. */
async function earlierSigning(
  { store }: Services,
  pool: string,
  waivers: readonly ReusableWaiver[],
): Promise<(EarlierSigning & { readonly form: NamedForm }) | undefined> {
  const [first] = waivers;
  if (first === undefined) return undefined;
  const [record, version] = await Promise.all([
    store.signings.record(pool, { id: first.signing, leaf: first.leaf }),
    store.forms.version(pool, first.form, first.formVersion),
  ]);
  const core = partOf(record, 'core');
  const sensitive = partOf(record, 'sensitive');
  if (core === undefined || version === undefined) return undefined;
  const ordered = waivers.toSorted((one, other) => one.guest - other.guest);
  const places = ordered.map(({ guest }) => guest);
  const health = (sensitive?.health ?? [])
    .filter(({ guest }) => guest === null || places.includes(guest))
    .map(({ guest, item, hash }) => ({ guest, item, answer: entryOf<Answer>(record, hash) }));
  const answersOf = (place: number | null): GivenAnswers =>
    Object.fromEntries(
      health.flatMap(({ guest, item, answer }) =>
        guest === place && answer !== undefined ? [[item, answer]] : [],
      ),
    );
  const isRevealingGone =
    sensitive?.shown != null &&
    entryOf<RevealingEntry<ShownPage>>(record, sensitive.shown.hash) === undefined;
  return {
    form: publishedForm(version),
    day: { date: core.day.date, activities: core.day.activities },
    validUntil: first.validUntil,
    signerTakesPart: ordered[0]?.isSigner ?? false,
    guests: ordered.map(({ answers, guest }) => ({
      answers,
      health: answersOf(guest),
      signerHealth: answersOf(null),
    })),
    hasHealthAnswers:
      sensitive !== undefined && !isRevealingGone && health.every(({ answer }) => answer !== undefined),
  };
}

/** Why some waivers of one signing must be signed again, together; undefined if they may be confirmed. */
export async function whySignAgain(
  services: Services,
  pool: string,
  waivers: readonly ReusableWaiver[],
  visit: Visit,
): Promise<SignAgainReason | 'record-gone' | undefined> {
  const earlier = await earlierSigning(services, pool, waivers);
  if (earlier === undefined) return 'record-gone';
  return signAgainReason(earlier, visit, await loadSentences('en'));
}

/**
 * The people who may confirm, each once, with what they signed last: everyone with a proven address, or the guest of a
 * link to one guest.
 */
export async function returningPeople(
  services: Services,
  pool: string,
  guest: KnownGuest,
  visit: Visit,
): Promise<ReturningPerson[]> {
  if (visit.form === undefined) return [];
  const found = await services.store.signings.reusable({ pool, email: guest.email, day: visit.lastDay });
  const signings = [...new Set(found.map(({ signing }) => signing))].slice(0, maxSignings);
  const records = found
    .filter(({ signing, form }) => signings.includes(signing) && form === visit.form?.form)
    .map((waiver) => ({ waiver, ...personOf(waiver) }));
  const own = guest.proof === 'code' ? records : recordsOfGuest(guest.name, records);
  const sentences = await loadSentences('en');
  const people = new Map<string, ReturningPerson>();
  for (const { waiver, name, dateOfBirth } of own) {
    // Not folded: Bo and Bö, of one age, may be two people, and whoever signs again chooses.
    const key = JSON.stringify([name?.trim().toLowerCase(), dateOfBirth]);
    if (people.has(key)) continue;
    const earlier = await earlierSigning(services, pool, [waiver]);
    if (earlier === undefined || signAgainReason(earlier, visit, sentences) !== undefined) continue;
    people.set(key, { waiver, name, isMinor: waiver.answers.minor === true, form: earlier.form });
  }
  return [...people.values()];
}

/**
 * Those of these people who are the guest of a link to one guest: by name, since a whole family may share the address
 * that a code proves. Several if one person wrote their name in several ways; none if the name is inconclusive.
 */
export function peopleOfLink(
  { bookingGuestId }: Pick<UsedCheckInLink, 'bookingGuestId'>,
  linked: LinkedBooking | undefined,
  people: readonly ReturningPerson[],
): ReturningPerson[] {
  const guest = linked?.booking?.guests.find(({ id }) => id !== undefined && id === bookingGuestId);
  const records = people.map((person) => ({ person, ...personOf(person.waiver) }));
  return recordsOfGuest(guest?.name, records).map(({ person }) => person);
}

interface ProofBody {
  readonly email?: string | undefined;
  readonly proof?: string | undefined;
}

const proofEnded = () =>
  new HttpProblem(
    403,
    'proof_ended',
    'The e-mail address is not proven, or was too long ago: ask for another code.',
  );

/**
 * The guest who makes a request, known by a proven address or by the link.
 * @throws HttpProblem 403 `proof_ended`
 */
export async function knownGuest(
  { store }: { readonly store: SigningStore },
  link: UsedCheckInLink,
  linked: LinkedBooking | undefined,
  { email, proof }: ProofBody,
): Promise<KnownGuest | undefined> {
  if (proof === undefined) return guestOfLink(link, linked);
  const address = { pool: link.pool, link: link.id, email: email ?? '' };
  if (!(await store.returningCodes.isProven(address, proof))) throw proofEnded();
  return { email: address.email, proof: 'code' };
}
