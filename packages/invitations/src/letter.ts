import { type MailLanguage, mailLanguageOf } from '@waiver-service/alerts';
import type { Pool } from '@waiver-service/api';
import { checkInUrl } from '@waiver-service/integration';
import { copyUrl } from '@waiver-service/signing';
import type { CopyMail } from '@waiver-service/signing/data';
import type { BookingKey } from '@waiver-service/waivers';
import { type ComposedMail, composeCopyMail, composeMail } from './compose-mail.ts';
import type { Invitation } from './data/invitation.ts';
import type { InvitationStore } from './data/invitation-store.ts';
import { dueOccasion } from './occasions.ts';
import { hasAddress, type OpenBooking, type Recipient, sameAddress } from './recipients.ts';
import type { InvitationContent } from './settings.ts';
import { unsubscribeUrl } from './unsubscribe-route.ts';

/** The pool and its settings, for a message. */
export interface LetterContext {
  readonly pool: Pool;
  readonly content: InvitationContent;
  readonly enabled: boolean;
  readonly now: Date;
}

/** A message to a guest, ready to be sent. */
export interface Letter extends ComposedMail {
  readonly to: string;
  readonly fromName: string;
  readonly replyTo: string | undefined;
  readonly unsubscribeUrl: string;
}

type Message = Pick<Invitation, 'occasion' | 'day' | 'email' | 'bookingSystem' | 'bookingId'>;

/** Why a message must not be sent at this time; undefined if it may be. */
export function timeProblem(
  { occasion, day }: Pick<Message, 'occasion' | 'day'>,
  startsAt: Date,
  { pool: { timeZone }, content: { occasions }, enabled, now }: LetterContext,
): 'switched-off' | 'too-late' | 'moved' | 'later-occasion' | undefined {
  if (occasion === 'staff') return undefined;
  if (!enabled) return 'switched-off';
  if (now >= startsAt) return 'too-late';
  const due = dueOccasion(now, startsAt, { occasions, timeZone });
  if (due === undefined || due.day !== day) return 'moved';
  return due.occasion === occasion ? undefined : 'later-occasion';
}

/** A message's recipient by the booking's current state, or why there is none. */
export function recipientOf(
  { email }: Pick<Message, 'email'>,
  { booking, recipients }: Pick<OpenBooking, 'booking' | 'recipients'>,
): Recipient | 'signed' | 'address-changed' {
  const found = recipients.find((each) => sameAddress(each.email) === sameAddress(email));
  return found ?? (hasAddress(booking, email) ? 'signed' : 'address-changed');
}

function languageFor(
  { language }: Recipient,
  { form }: OpenBooking,
  { content }: LetterContext,
): MailLanguage {
  const ofForm = form.content.languages.map(mailLanguageOf).find((each) => each !== undefined);
  return mailLanguageOf(language) ?? content.language ?? ofForm ?? 'en';
}

/** The guest's link, or a new one: it ends when their waiver is voided, and they must sign again. */
async function tokenOfGuest(
  { checkInLinks }: Pick<InvitationStore, 'checkInLinks'>,
  booking: BookingKey,
  { bookingGuestId, destination }: { readonly bookingGuestId: string; readonly destination: string },
): Promise<string> {
  const known = await checkInLinks.ofGuest(booking, bookingGuestId, destination);
  if (known !== undefined) return known;
  const { pool, ...place } = booking;
  const link = { ...place, bookingGuestId, expiresAt: null, createdBy: 'invitations' };
  return (await checkInLinks.create(pool, link)).token;
}

/**
 * Writes a message. The tokens of its links are derived here, and not stored.
 * @returns undefined if the booking's link was withdrawn, or its booking system uninstalled
 */
export async function writeLetter(
  { store }: { readonly store: InvitationStore },
  {
    recipient,
    invited,
    message,
    context,
    baseUrl,
  }: {
    readonly recipient: Recipient;
    readonly invited: OpenBooking;
    readonly message: Message;
    readonly context: LetterContext;
    readonly baseUrl: string;
  },
): Promise<Letter | undefined> {
  const { pool, content } = context;
  const { bookingSystem } = message;
  const booking = { pool: pool.id, bookingSystem, bookingId: invited.bookingId };
  const setup = await store.pools.setup(pool.id);
  const destination = setup?.versionOf(bookingSystem)?.destination;
  if (destination === undefined) return undefined;
  const { bookingGuestId } = recipient;
  const token =
    bookingGuestId === null
      ? await store.checkInLinks.ofBooking(booking, destination)
      : await tokenOfGuest(store, booking, { bookingGuestId, destination });
  if (token === undefined) return undefined;
  const language = languageFor(recipient, invited, context);
  const operator = content.senderName ?? pool.name;
  const unsubscribe = await unsubscribeUrl(
    { store },
    { pool: pool.id, email: recipient.email, language, baseUrl },
  );
  const composed = composeMail({
    language,
    texts: content.texts[language],
    name: recipient.name,
    activities: invited.booking.bookedSessions.flatMap(({ activityName }) => activityName ?? []),
    startsAt: invited.startsAt,
    timeZone: pool.timeZone,
    operator,
    link: checkInUrl(baseUrl, token),
    isGroup: bookingGuestId === null,
    unsubscribeUrl: unsubscribe,
  });
  return {
    ...composed,
    to: recipient.email,
    fromName: operator,
    replyTo: content.replyTo ?? undefined,
    unsubscribeUrl: unsubscribe,
  };
}

/** Writes the message with the link to a copy. */
export async function writeCopyLetter(
  services: { readonly store: InvitationStore },
  {
    mail: { email, language: tag },
    pool,
    content,
    baseUrl,
    token,
  }: {
    readonly mail: Pick<CopyMail, 'email' | 'language'>;
    readonly pool: Pool;
    readonly content: InvitationContent;
    readonly baseUrl: string;
    readonly token: string;
  },
): Promise<Letter> {
  const language = mailLanguageOf(tag) ?? content.language ?? 'en';
  const operator = content.senderName ?? pool.name;
  const unsubscribe = await unsubscribeUrl(services, { pool: pool.id, email, language, baseUrl });
  const link = copyUrl(baseUrl, token);
  return {
    ...composeCopyMail({ language, operator, link, unsubscribeUrl: unsubscribe }),
    to: email,
    fromName: operator,
    replyTo: content.replyTo ?? undefined,
    unsubscribeUrl: unsubscribe,
  };
}
