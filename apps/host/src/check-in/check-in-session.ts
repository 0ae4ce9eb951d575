import type { Booking } from '@waiver-service/core';
import { checkAnswer, loadSentences, type SigningDay } from '@waiver-service/forms';
import type { BookingWaiver, UsedCheckInLink } from '@waiver-service/store';
import { z } from 'zod';
import { prefillGuests } from '../booking-reading/pre-fill.ts';
import { shownSession, shownSessionSchema } from '../booking-reading/shown-session.ts';
import { matchWaivers } from '../booking-reading/signed-waivers.ts';
import { dateTimeSchema } from '../http/date-time.ts';
import { guestLabel } from './guest-label.ts';
import type { NamedForm } from './published-forms.ts';

/** A form as it was published. Its content is described by `FormContent`. */
export const publishedFormSchema = z
  .object({
    form: z.string(),
    name: z.string(),
    version: z.int(),
    hash: z.string().describe('SHA-256 of the content, in hexadecimal.'),
    content: z
      .looseObject({})
      .describe('The content of the form, as published. See docs/forms.md for its format.'),
  })
  .meta({ id: 'PublishedForm' });

export const sealingSchema = z
  .object({ id: z.string(), publicKey: z.string() })
  .describe('The public key with which the page seals (encrypts) a signing that has to wait on the device.');

export const checkInSessionSchema = z.object({
  pool: z.object({ name: z.string() }),
  link: z.object({ kind: z.enum(['booking', 'guest', 'desk']), expiresAt: dateTimeSchema.nullable() }),
  booking: z
    .object({
      reference: z.string(),
      sessions: z.array(shownSessionSchema),
      pax: z.int().nullable(),
      signed: z.int(),
    })
    .nullable()
    .describe(
      'null for a desk link. While the booking system is unavailable, `sessions` is empty and `pax` null.',
    ),
  guests: z
    .array(
      z.object({
        bookingGuestId: z.string(),
        label: z.string().describe('First name and last initial; empty if the guest has no name.'),
        signed: z.boolean(),
        prefill: z
          .record(z.string(), z.unknown())
          .optional()
          .describe(
            'What the booking says about the guest, to fill in the form. Only on a link to this guest.',
          ),
      }),
    )
    .describe('The guests of the booking who have an id; on a link to one guest, only that guest.'),
  day: z.object({ date: z.string(), activities: z.array(z.string()), timeZone: z.string() }),
  form: publishedFormSchema,
  sealing: sealingSchema,
  returning: z
    .enum(['known', 'code'])
    .nullable()
    .describe(
      'How an earlier signing can be confirmed: `known`, by the guest of the link; `code`, by a guest who proves an e-mail address with a code; null if not at all.',
    ),
});

export type CheckInSession = z.input<typeof checkInSessionSchema>;

/** The kind of a link. */
export function linkKind({ bookingId, bookingGuestId }: UsedCheckInLink): 'booking' | 'guest' | 'desk' {
  if (bookingId === null) return 'desk';
  return bookingGuestId === null ? 'booking' : 'guest';
}

interface SessionParts {
  readonly link: UsedCheckInLink;
  /** Undefined if it cannot be read. */
  readonly booking: Booking | undefined;
  readonly waivers: readonly BookingWaiver[];
  readonly prefillProperties: readonly string[];
  readonly day: SigningDay;
  readonly form: NamedForm;
  readonly sealing: CheckInSession['sealing'];
  readonly returning: CheckInSession['returning'];
}

// The sentences are not shown.
const sentences = await loadSentences('en');

/** The values that the form's questions accept as answers: a guest would have to correct others. */
function acceptedBy(
  { content }: Pick<NamedForm, 'content'>,
  prefill: Readonly<Record<string, unknown>>,
  day: SigningDay,
): Readonly<Record<string, unknown>> {
  const questions = content.pages.flatMap(({ items }) => items).filter((item) => item.type === 'ask');
  const isAccepted = (name: string, value: unknown) =>
    typeof value !== 'string' ||
    questions.every(
      (item) =>
        item.property !== name ||
        checkAnswer(item, value.trim(), { day, photos: [], sentences }) === undefined,
    );
  return Object.fromEntries(Object.entries(prefill).filter(([name, value]) => isAccepted(name, value)));
}

function guestsOf({
  link,
  booking,
  waivers,
  prefillProperties,
  form,
  day,
}: SessionParts): CheckInSession['guests'] {
  if (booking === undefined) return [];
  const matched = matchWaivers(booking, waivers, link.timeZone).guests;
  const { guests: prefilled } = prefillGuests(booking, prefillProperties);
  return booking.guests.flatMap(({ id, name }, index) => {
    if (id === undefined || (link.bookingGuestId !== null && link.bookingGuestId !== id)) return [];
    const guest = { bookingGuestId: id, label: guestLabel(name), signed: matched[index]?.signed ?? false };
    const isPersonal = link.bookingGuestId === id;
    return isPersonal ? { ...guest, prefill: acceptedBy(form, prefilled[index]?.prefill ?? {}, day) } : guest;
  });
}

/** The content of a link's page: only its own booking, and of other guests only who is missing. */
export function checkInSession(parts: SessionParts): CheckInSession {
  const { link, booking, waivers, day, form, sealing, returning } = parts;
  return {
    pool: { name: link.poolName },
    link: { kind: linkKind(link), expiresAt: link.expiresAt },
    booking:
      link.bookingId === null
        ? null
        : {
            reference: booking?.id ?? link.bookingId,
            sessions: (booking?.bookedSessions ?? []).map(shownSession),
            pax: booking?.pax ?? null,
            signed: matchWaivers(booking, waivers, link.timeZone).signed,
          },
    guests: guestsOf(parts),
    day: { date: day.date, activities: [...day.activities], timeZone: link.timeZone },
    form: { ...form, content: { ...form.content } },
    sealing,
    returning,
  };
}
