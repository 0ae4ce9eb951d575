import { randomUUID } from 'node:crypto';
import { Mailer } from '@waiver-service/alerts';
import { type checkInSessionSchema, readCheckInSession } from '@waiver-service/api';
import type { Booking } from '@waiver-service/core';
import { checkAnswer, loadSentences, type SigningDay } from '@waiver-service/forms';
import { makeSealingKey } from '@waiver-service/forms/envelope';
import { callerSignal, type HostApp, HttpProblem, type RouteModule } from '@waiver-service/http';
import { lastDayOf, matchWaivers, prefillGuests, shownSession } from '@waiver-service/integration';
import type { BookingWaiver } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import type { UsedCheckInLink } from '../data/check-in-links.ts';
import { SigningStore } from '../data/signing-store.ts';
import { chooseForm, type NamedForm, publishedForms } from '../forms/published-forms.ts';
import { guestOfLink, type NamedVisit, returningPeople } from '../returning/returning-people.ts';
import { signingDay } from '../signings/signing-day.ts';
import { GuestBudgets, guestSourceOf } from './guest-budgets.ts';
import { GuestTurns } from './guest-turns.ts';
import { guestOf } from './link-access.ts';
import { type LinkedBooking, OpenedBookings, readLinkedBooking } from './link-booking.ts';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const initialOf = (word: string) => [...graphemes.segment(word)][0]?.segment ?? '';

// A name in these scripts includes the family name if it is written without a space.
const isUnspaced = (name: string) =>
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(name);

/** How others see a guest: the first name, and the initial of the last. Empty for a guest without a name. */
export function guestLabel(name: string | undefined): string {
  const words = (name ?? '').trim().split(/\s+/u);
  const [first = ''] = words;
  const last = words.length > 1 ? words.at(-1) : undefined;
  if (last !== undefined) return `${first} ${initialOf(last)}.`;
  return isUnspaced(first) ? `${initialOf(first)}…` : first;
}

type CheckInSession = z.input<typeof checkInSessionSchema>;

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

/** How a link's guests can be identified; null: they must sign. A form for one visit is signed each time. */
async function returningBy(
  services: { readonly store: SigningStore; readonly mailer: Mailer | undefined },
  link: UsedCheckInLink,
  linked: LinkedBooking | undefined,
  { day, form }: Pick<NamedVisit, 'day' | 'form'>,
): Promise<'known' | 'code' | null> {
  const lastDay = lastDayOf(linked?.booking?.bookedSessions ?? [], link.timeZone) ?? day.date;
  const guest = guestOfLink(link, linked);
  const people =
    guest === undefined ? [] : await returningPeople(services, link.pool, guest, { day, lastDay, form });
  if (people.length > 0) return 'known';
  const outlastsVisit = form !== undefined && !('visit' in form.content.validity);
  return services.mailer !== undefined && outlastsVisit ? 'code' : null;
}

/** 404: the pool has no form for the activities. */
export const noForm = (): HttpProblem =>
  new HttpProblem(404, 'no_form', 'There is no form to sign here. Ask the operator.');

/** `GET /check-in/api/session`: everything that the page of a link needs. */
@injectable()
export class SessionRoute implements RouteModule {
  constructor(
    @inject(SigningStore) readonly store: SigningStore,
    @inject(OpenedBookings) readonly openedBookings: OpenedBookings,
    @inject(GuestBudgets) readonly guestBudgets: GuestBudgets,
    @inject(GuestTurns) readonly guestTurns: GuestTurns,
    @inject(Mailer) readonly mailer: Mailer | undefined,
  ) {}

  addRoutes(app: HostApp): void {
    const { store } = this;
    app.route({
      ...readCheckInSession,
      onRequest: async (request) => this.guestBudgets.take('open', guestSourceOf(request)),
      handler: (request, reply) =>
        this.guestTurns.run(guestSourceOf(request), callerSignal(reply), async () => {
          const { link } = guestOf(request);
          const linked = await readLinkedBooking(this, link, request);
          const day = signingDay(linked?.booking?.bookedSessions ?? [], link.timeZone, new Date());
          const form = chooseForm(await publishedForms(store.forms, link.pool), day.activities);
          if (form === undefined) throw noForm();
          const [waivers, setup, sealing] = await Promise.all([
            linked === undefined ? [] : store.waivers.forBooking(linked),
            store.pools.setup(link.pool),
            store.sealingKeys.current(link.pool, () => makeSealingKey(randomUUID())),
          ]);
          const prefillProperties = setup?.prefillProperties ?? [];
          const booking = linked?.booking;
          const returning = await returningBy(this, link, linked, { day, form });
          return checkInSession({
            ...{ link, booking, waivers, prefillProperties, day, form, sealing, returning },
          });
        }),
    });
  }
}
