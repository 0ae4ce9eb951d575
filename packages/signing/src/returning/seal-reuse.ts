import {
  type ConfirmerEntry,
  type ReuseGuestEntry,
  type ReuseRecord,
  saltedEntry,
  sealRecord,
} from '@waiver-service/evidence';
import type { BookingKey } from '@waiver-service/waivers';
import type { SignedEntry } from '../data/insert-record.ts';
import { signedWaiverId } from '../data/signing-waivers.ts';
import type { NamedForm } from '../forms/published-forms.ts';
import { type SealedSigning, sealableAnswers } from '../signings/seal-signing.ts';
import type { KnownGuest, NamedVisit, ReturningPerson } from './returning-people.ts';
import type { ReuseQuestions } from './reuse-questions.ts';
import { answersInWaiver } from './sign-again.ts';

/** A person in a confirmation, and their guest id in the booking. */
export interface ConfirmedPerson extends ReturningPerson {
  readonly bookingGuestId?: string | undefined;
}

/** Everything in a confirmation that is sealed. */
export interface ReuseToSeal {
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
export function sealReuse(reuse: ReuseToSeal): SealedSigning {
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
