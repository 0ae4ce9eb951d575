import { createHash } from 'node:crypto';
import { confirmSigned, type reuseSchema } from '@waiver-service/api';
import {
  type ConfirmerEntry,
  type ReuseGuestEntry,
  type ReuseRecord,
  saltedEntry,
  sealRecord,
} from '@waiver-service/evidence';
import {
  createPoolShare,
  type HostApp,
  malformed,
  type RouteModule,
  signingActorOf,
} from '@waiver-service/http';
import { BaseUrl } from '@waiver-service/integration';
import type { BookingWaiver } from '@waiver-service/store';
import type { BookingKey } from '@waiver-service/waivers';
import type { FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import type { SignedEntry } from '../data/insert-record.ts';
import { SigningStore } from '../data/signing-store.ts';
import { signedWaiverId } from '../data/signing-waivers.ts';
import type { NewSigning, SigningOutcome, StoredSigning } from '../data/store-signing.ts';
import { copyRecipient } from '../documents/copy-routes.ts';
import type { NamedForm } from '../forms/published-forms.ts';
import { GuestBudgets, guestSourceOf, takeOtherGuests } from '../links/guest-budgets.ts';
import { GuestTurns } from '../links/guest-turns.ts';
import { guestOf } from '../links/link-access.ts';
import { storedLinkedBooking } from '../links/link-booking.ts';
import { linkKind } from '../links/session-route.ts';
import { SigningSettings } from '../signing-settings.ts';
import { type SealedSigning, sealableAnswers } from '../signings/seal-signing.ts';
import { notOfLink, requireGuestsOfLink, requireNotSigned } from '../signings/signing-checks.ts';
import { signingAnswer, signingOf, signingShare } from '../signings/signing-route.ts';
import {
  asksHealth,
  type KnownGuest,
  knownGuest,
  type NamedVisit,
  peopleOfLink,
  type ReturningPerson,
  returningPeople,
  visitOf,
  whySignAgain,
} from './returning-people.ts';
import { type ReuseQuestions, reuseQuestions, textLanguage } from './reuse-questions.ts';
import { answersInWaiver, signAgain } from './sign-again.ts';

/** A person in a confirmation, and their guest id in the booking. */
interface ConfirmedPerson extends ReturningPerson {
  readonly bookingGuestId?: string | undefined;
}

/** Everything in a confirmation that is sealed. */
interface ReuseToSeal {
  readonly id: string;
  readonly language: string;
  readonly people: readonly [ConfirmedPerson, ...ConfirmedPerson[]];
  readonly guest: KnownGuest;
  readonly questions: ReuseQuestions;
  readonly form: NamedForm;
  readonly visit: NamedVisit;
  readonly timeZone: string;
  readonly booking: BookingKey | undefined;
  readonly linkKind: 'booking' | 'guest' | 'desk';
  readonly times: {
    readonly openedAt: string;
    readonly confirmedAt: string;
    readonly translatedAt?: string | undefined;
  };
  readonly receivedAt: Date;
  readonly address: string;
  readonly userAgent: string | undefined;
}

/** Seals the record by which a guest confirmed what was signed before. */
function sealReuse(reuse: ReuseToSeal): SealedSigning {
  const { id, people, guest, questions, form, visit, timeZone, booking, receivedAt } = reuse;
  const { translatedAt, ...times } = reuse.times;
  const [{ waiver: signed, form: signedForm }] = people;
  const entries: SignedEntry[] = [];
  const add = (value: ReuseGuestEntry | ConfirmerEntry, place: number | null) => {
    const entry = saltedEntry(value);
    entries.push({ ...entry, part: 'person', guest: place, eraseAt: null });
    return { hash: entry.hash };
  };
  const record: ReuseRecord = {
    core: {
      kind: 'reuse',
      of: signed.leaf,
      at: receivedAt.toISOString(),
      reuse: id,
      form: { id: form.form, name: form.name, version: form.version, hash: form.hash },
      signed: {
        signing: signed.signing,
        version: signedForm.version,
        receivedAt: signed.receivedAt.toISOString(),
      },
      validUntil: signed.validUntil,
      language: reuse.language,
      question: {
        text: people.some(({ isMinor }) => isMinor) ? questions.guardianText : questions.text,
        health: questions.health,
      },
      booking: booking === undefined ? null : { bookingSystem: booking.bookingSystem, id: booking.bookingId },
      day: { ...visit.day, timeZone },
      link: { kind: reuse.linkKind },
      proof: guest.proof,
      times,
    },
    person: {
      guests: people.map(({ waiver, bookingGuestId }, place) =>
        add(
          {
            waiver: signedWaiverId(id, place),
            reuseOf: waiver.id,
            ...(bookingGuestId === undefined ? {} : { bookingGuestId }),
            answers: sealableAnswers(answersInWaiver(waiver.answers)),
          },
          place,
        ),
      ),
      signer: add({ email: guest.email }, null),
    },
    sensitive: null,
    ink: null,
    trace: {
      address: reuse.address,
      userAgent: reuse.userAgent ?? null,
      pages: [],
      ...(translatedAt === undefined ? {} : { translatedAt }),
    },
  };
  return { ...sealRecord(record), entries, photos: [] };
}

type ReuseBody = z.output<typeof reuseSchema>;

const contentHashOf = ({ email: _, proof: __, ...content }: ReuseBody) =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex');

function storedSigning(outcome: SigningOutcome): StoredSigning {
  if ('outcome' in outcome && outcome.outcome === 'confirmed-gone') throw signAgain();
  return signingOf(outcome);
}

/** The people of a confirmation, if they may confirm. @throws HttpProblem 409 `sign_again`, 400 */
function confirmedPeople(
  body: ReuseBody,
  known: Awaited<ReturnType<typeof returningPeople>>,
): readonly [ConfirmedPerson, ...ConfirmedPerson[]] {
  const people = body.people.map(({ waiver, bookingGuestId }): ConfirmedPerson => {
    const found = known.find((one) => one.waiver.id === waiver);
    if (found === undefined) throw signAgain();
    return { ...found, bookingGuestId };
  });
  // In the order of the signing: the signer first.
  const [first, ...others] = people.toSorted((one, other) => one.waiver.guest - other.waiver.guest);
  if (first === undefined || others.some(({ waiver }) => waiver.signing !== first.waiver.signing))
    throw malformed([{ path: 'people', message: 'are not of one signing' }]);
  if (asksHealth(first.form.content) && body.healthUnchanged !== true)
    throw malformed([{ path: 'healthUnchanged', message: 'is missing, and the form asks about health' }]);
  return [first, ...others];
}

async function prepare(
  services: ReuseRoute,
  request: FastifyRequest & { body: ReuseBody },
): Promise<NewSigning> {
  const { store } = services;
  const { body, caller, ip, headers } = request;
  const { link } = guestOf(request);
  const { pool, timeZone } = link;
  const receivedAt = await store.signings.receivedNow();
  const booking = await storedLinkedBooking(services, link);
  const guest = await knownGuest(services, link, booking, body);
  const visit = await visitOf(services, link, booking, receivedAt);
  const known = guest === undefined ? [] : await returningPeople(services, pool, guest, visit);
  const people = confirmedPeople(body, known);
  const [{ waiver: signed, form: signedForm }] = people;
  requireGuestsOfLink(
    link,
    booking,
    people.map(({ bookingGuestId, isMinor }) => ({
      isMinor,
      ...(bookingGuestId === undefined ? {} : { bookingGuestId }),
    })),
  );
  // A link to one guest is refused to people with the same address whose name shows that they are someone else.
  const own = peopleOfLink(link, booking, known);
  const asGuest = people.find(({ bookingGuestId }) => bookingGuestId === link.bookingGuestId);
  if (own.length > 0 && asGuest !== undefined && own.every(({ waiver }) => waiver.id !== asGuest.waiver.id))
    throw notOfLink(asGuest.bookingGuestId ?? '');
  const guests = people.map(({ bookingGuestId }) => ({ bookingGuestId }));
  const requireUnsigned =
    booking &&
    ((waivers: readonly BookingWaiver[]) =>
      requireNotSigned({ id: body.id, guests }, booking, waivers, link));
  if (booking !== undefined) requireUnsigned?.(await store.waivers.forBooking(booking));
  const waivers = people.map(({ waiver }) => waiver);
  if (guest === undefined || visit.form === undefined || (await whySignAgain(services, pool, waivers, visit)))
    throw signAgain();
  const language = textLanguage(body.language);
  const sealed = sealReuse({
    id: body.id,
    language,
    people,
    guest,
    questions: reuseQuestions({
      language,
      timeZone,
      signedAt: signed.receivedAt,
      asksHealth: asksHealth(signedForm.content),
    }),
    form: visit.form,
    visit,
    timeZone,
    booking,
    linkKind: linkKind(link),
    times: body.times,
    receivedAt,
    address: ip,
    userAgent: headers['user-agent']?.slice(0, 512),
  });
  return {
    ...sealed,
    pool,
    id: body.id,
    link: link.id,
    form: visit.form.form,
    formVersion: visit.form.version,
    language,
    contentHash: contentHashOf(body),
    receivedAt,
    reuseOf: signed.signing,
    copyTo: copyRecipient(services, guest.email, language),
    signerTakesPart: signed.isSigner,
    flags: waivers.flatMap(({ flags }, place) => flags.map((flag) => ({ ...flag, guest: place }))),
    waivers: people.map(({ waiver, bookingGuestId }) => ({
      bookingSystem: booking?.bookingSystem ?? null,
      bookingId: booking?.bookingId ?? null,
      bookingGuestId: bookingGuestId ?? null,
      activities: visit.day.activities,
      answers: waiver.answers,
      validUntil: waiver.validUntil,
      reuseOf: waiver.id,
    })),
    requireNotSigned: requireUnsigned,
    by: signingActorOf(caller),
  };
}

/** `POST /check-in/api/reuses`: a returning guest confirms what was signed before. */
@injectable()
export class ReuseRoute implements RouteModule {
  constructor(
    @inject(SigningSettings) readonly settings: SigningSettings,
    @inject(BaseUrl) readonly baseUrl: BaseUrl,
    @inject(SigningStore) readonly store: SigningStore,
    @inject(GuestBudgets) readonly guestBudgets: GuestBudgets,
    @inject(GuestTurns) readonly guestTurns: GuestTurns,
  ) {}

  addRoutes(app: HostApp): void {
    const { signings } = this.store;
    const share = createPoolShare({ ...signingShare(this), sourceOf: guestSourceOf });
    app.route({
      ...confirmSigned,
      onRequest: async (request) => this.guestBudgets.take('sign', guestSourceOf(request)),
      preParsing: share.take,
      handler: (request, reply) =>
        share.handle(request, async () => {
          const { link } = guestOf(request);
          const { body } = request;
          takeOtherGuests(this.guestBudgets, 'sign', request, body.people);
          const repeated = { pool: link.pool, id: body.id, contentHash: contentHashOf(body) };
          const former = await signings.find(repeated);
          if (former !== undefined) return reply.code(200).send(signingAnswer(this, storedSigning(former)));
          const result = await signings.store(await prepare(this, request));
          return reply
            .code(result.outcome === 'same' ? 200 : 201)
            .send(signingAnswer(this, storedSigning(result)));
        }),
    });
  }
}
