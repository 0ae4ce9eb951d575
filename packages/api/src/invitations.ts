import { bookingGuestIdSchema, bookingIdSchema, poolIdSchema } from '@waiver-service/core';
import { z } from 'zod';
import {
  chosenSystemSchema,
  dateTimeSchema,
  mailAddressSchema,
  noContentSchema,
  pageQueryFields,
  pageSchema,
  pagesOf,
  redactedSchema,
  unavailableResponse,
} from './fields.ts';
import { invitationOccasions } from './names.ts';
import { route } from './route.ts';

/** The outcomes of messages, as shown. */
export const shownInvitationStates = [
  'waiting',
  'sent',
  'in-doubt',
  'refused',
  'left-out',
  'given-up',
] as const;

export const invitationSchema = z
  .object({
    id: z.string().describe('Id of the message and of its delivery; part of the Message-ID header.'),
    bookingSystem: z.string(),
    bookingId: z.string(),
    occasion: z.enum(invitationOccasions),
    day: z.string().describe('Day of the booking’s first session, in the pool’s time zone.'),
    email: z.string().nullable().describe('The recipient’s address; null for a viewer.'),
    redacted: redactedSchema,
    guests: z.int().describe('Number of guests whom the message asks to sign.'),
    state: z
      .enum(shownInvitationStates)
      .describe(
        '`in-doubt`: the connection was lost after the text was handed over; the message may have arrived, and is not sent again. `given-up`: the mail server accepted the message in none of the attempts.',
      ),
    reason: z.string().nullable().describe('Why the message was left out or refused.'),
    createdBy: z.string(),
    createdAt: dateTimeSchema,
    endedAt: dateTimeSchema.nullable(),
  })
  .meta({ id: 'SentInvitation' });

export const invitationRefusalSchema = z
  .object({
    id: z.string(),
    email: z.string().nullable().describe('The address; null if it was erased or is unknown.'),
    reason: z.enum(['refused', 'unsubscribed']),
    reply: z.string().nullable().describe('The mail server’s reply; null if the owner unsubscribed.'),
    at: dateTimeSchema,
  })
  .meta({ id: 'InvitationRefusal' });

/** An address that is sent nothing more; its id is the keyed hash of the address, in base64url. */
export type InvitationRefusal = Readonly<z.input<typeof invitationRefusalSchema>>;

export const listSentInvitations = route.get('/v1/admin/pools/:pool/invitations/sent', {
  config: { access: 'viewer', audited: true },
  operationId: 'listSentInvitations',
  tags: ['Check-in'],
  summary: 'List the messages to a pool’s guests, newest first',
  querystring: z.strictObject({ ...pageQueryFields, bookingId: bookingIdSchema.optional() }),
  response: { 200: pageSchema(invitationSchema) },
});

export const listInvitationRefusals = route.get('/v1/admin/pools/:pool/invitations/refusals', {
  config: { access: 'operator', audited: true },
  operationId: 'listInvitationRefusals',
  tags: ['Check-in'],
  summary: 'List the addresses that get no more messages, newest first',
  description:
    'Lists addresses that the mail server refused (`refused`) or whose owner unsubscribed (`unsubscribed`).',
  ...pagesOf(invitationRefusalSchema),
});

export const liftInvitationRefusal = route.delete('/v1/admin/pools/:pool/invitations/refusals/:id', {
  config: { access: 'operator' },
  operationId: 'liftInvitationRefusal',
  tags: ['Check-in'],
  summary: 'Allow messages to an address again',
  description:
    'Removes an address from the list of refused ones. If its owner unsubscribed, do this only at the owner’s request.',
  response: { 204: noContentSchema },
});

const leftOutReasons = [
  'known',
  'too-many',
  'refused',
  'unsubscribed',
  'erased',
  'no-address',
  'signed',
] as const;

const resultSchema = z.object({
  sent: z.array(
    z.object({
      email: z.string().describe('The recipient’s address, masked: only the first letter and the domain.'),
      guests: z.int().describe('Number of guests whom the message asks to sign.'),
      link: z.enum(['guest', 'booking']),
    }),
  ),
  leftOut: z
    .array(
      z.object({
        email: z.string().nullable().describe('The masked address; null if there is none.'),
        guests: z.int(),
        reason: z.enum(leftOutReasons),
      }),
    )
    .describe(
      'Recipients to whom nothing is sent. `too-many`: staff sent this address three messages about this booking in 24 hours, or it got as many as it may in a day. `signed`: no guest is left to sign.',
    ),
});

export const sendInvitations = route.post('/v1/admin/pools/:pool/bookings/:booking_id/invitations', {
  config: {
    access: 'operator',
    problems: {
      404: 'The booking system has no such booking (`booking_not_found`), or the booking has no such guest (`guest_not_found`).',
      409: 'No mail server is configured (`mail_not_configured`), no form is published (`no_form`), the booking was cancelled (`booking_cancelled`), or several booking systems are installed and none is named (`booking_system_ambiguous`).',
      424: 'The booking system is not installed for the pool (`not_installed`).',
      429: 'Staff of the pool have sent 300 messages in an hour (`too_many_invitations`). See Retry-After.',
      503: 'The booking cannot be read now (`booking_unavailable`), or the database is temporarily unavailable.',
    },
  },
  operationId: 'sendInvitations',
  tags: ['Check-in'],
  summary: 'Send the link for signing by e-mail now',
  description:
    'Sends messages for all guests of the booking who have not signed, or for one of them. Guests with an e-mail address get their own link; for guests without one, the booker gets the link of the booking.',
  querystring: z.strictObject({ bookingSystem: chosenSystemSchema }),
  body: z
    .strictObject({
      bookingGuestId: bookingGuestIdSchema
        .optional()
        .describe('Id of the only guest to send a message for; all guests if omitted.'),
    })
    .optional(),
  response: { 200: resultSchema },
});

/** Reasons why a pool's guests get no mail. */
const obstacles = ['no_mail_server', 'no_form', 'no_booking_system'] as const;

const storedTextSchema = z.object({ subject: z.string(), text: z.string() }).meta({ id: 'InvitationText' });

const hour = (min: number, max: number) =>
  z.int().min(min).max(max).describe('Hour of the day in the pool’s time zone.');

const hasNoControls = (text: string) => !/\p{Cc}/u.test(text);

const senderNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(70)
  .refine(hasNoControls, 'must be one line')
  .nullable()
  .describe(
    'The sender’s display name; null for the pool’s name. The sender’s address is set by ALERT_FROM.',
  );

/** The languages of guests' mail, those of the check-in page. */
export const mailLanguages = ['en', 'de', 'es', 'fr', 'cs', 'ar'] as const;

const mailLanguageSchema = z.enum(mailLanguages).meta({ id: 'MailLanguage' });

/** The placeholders of texts. */
const placeholders = ['name', 'activity', 'date', 'time', 'link', 'operator'] as const;

function unknownPlaceholder(text: string): string | undefined {
  const names = [...text.matchAll(/\{([^{}\s]{1,40})\}/g)].map(([, name = '']) => name);
  return names.find((name) => !placeholders.some((known) => known === name));
}

const knowsPlaceholders = (text: string) => unknownPlaceholder(text) === undefined;

const placeholderError = {
  error: `has an unknown placeholder; use ${placeholders.map((name) => `{${name}}`).join(', ')}`,
};

const mailSubjectSchema = z
  .string()
  .trim()
  .min(1)
  .max(150)
  .refine(hasNoControls, 'must be one line')
  .refine((text) => !text.includes('{link}'), 'must not have the link')
  .refine(knowsPlaceholders, placeholderError)
  .describe('Subject, in one line. Placeholders: {name}, {activity}, {date}, {time} and {operator}.');

const mailTextSchema = z
  .string()
  .trim()
  .min(1)
  .max(4_000)
  .refine((text) => text.includes('{link}'), 'must have the placeholder {link}')
  .refine(knowsPlaceholders, placeholderError)
  .describe(
    'Paragraphs with an empty line between them. Placeholders: {name}, {activity}, {date}, {time}, {link} (required) and {operator}.',
  );

/** The fields of a pool's invitations. */
export const invitationContentFields = {
  occasions: z
    .strictObject({
      daysBefore: z.strictObject({ days: z.int().min(2).max(14), hour: hour(0, 23) }).nullable(),
      eveningBefore: z.strictObject({ hour: hour(12, 23) }).nullable(),
      morningOf: z.strictObject({ hour: hour(0, 11) }).nullable(),
    })
    .meta({
      id: 'InvitationOccasions',
      description: 'When messages are sent to guests who have not signed; null disables an occasion.',
    }),
  senderName: senderNameSchema,
  replyTo: mailAddressSchema.nullable().describe('Address for replies; null for the address in ALERT_FROM.'),
  language: mailLanguageSchema
    .nullable()
    .describe(
      'Language for guests whose language is not in the booking; null for the first language of the form.',
    ),
  quietHours: z
    .strictObject({ from: hour(0, 23), until: hour(0, 23) })
    .refine(({ from, until }) => from !== until, { path: ['until'], error: 'must differ from `from`' })
    .nullable()
    .describe(
      'Hours in which only messages from staff are sent; null for none. Other messages are sent afterwards, if the visit has not begun by then.',
    ),
  texts: z
    .partialRecord(mailLanguageSchema, z.strictObject({ subject: mailSubjectSchema, text: mailTextSchema }))
    .describe('Texts that replace the default ones, by language.'),
};

export const invitationsSchema = z
  .object({
    enabled: z.boolean(),
    ...invitationContentFields,
    // As stored: limits may have changed since.
    texts: z.partialRecord(mailLanguageSchema, storedTextSchema),
    defaultTexts: z.object({
      en: storedTextSchema,
      de: storedTextSchema,
      es: storedTextSchema,
      fr: storedTextSchema,
      cs: storedTextSchema,
      ar: storedTextSchema,
    }),
    obstacles: z
      .array(z.enum(obstacles))
      .describe(
        'Reasons why nothing is sent: no mail server is configured, no form is published, or no booking system is installed.',
      ),
    uninvited: z
      .array(
        z.object({
          bookingSystem: z.string(),
          bookingId: z.string(),
          day: z.string(),
          problem: z.string(),
        }),
      )
      .describe(
        'Upcoming bookings with guests who get no message, at most 20. `problem`: `no-form` for the activity, `no-address`, `unread` (could not be read), or `quiet-hours` until the visit.',
      ),
    updatedAt: dateTimeSchema.nullable().describe('When the settings were last changed; null if never.'),
  })
  .meta({ id: 'Invitations' });

export const readInvitations = route.get('/v1/admin/pools/:pool/invitations', {
  config: { access: 'viewer' },
  operationId: 'readInvitations',
  tags: ['Check-in'],
  summary: 'Read how a pool invites its guests by e-mail',
  response: { 200: invitationsSchema },
});

export const putInvitations = route.put('/v1/admin/pools/:pool/invitations', {
  config: { access: 'operator' },
  operationId: 'putInvitations',
  tags: ['Check-in'],
  summary: 'Set how a pool invites its guests by e-mail',
  description:
    'Omitted fields stay as they are. Once enabled, messages that are already due for upcoming bookings are sent at once.',
  body: z.strictObject({ enabled: z.boolean(), ...invitationContentFields }).partial(),
  response: { 200: invitationsSchema },
});

export const previewInvitation = route.post('/v1/admin/pools/:pool/invitations/preview', {
  config: { access: 'operator' },
  operationId: 'previewInvitation',
  tags: ['Check-in'],
  summary: 'Preview a message to a guest',
  description: 'Uses an invented guest and an invented booking one week from now. Sends nothing.',
  body: z.strictObject({
    language: mailLanguageSchema,
    subject: mailSubjectSchema.optional(),
    text: mailTextSchema.optional(),
    senderName: senderNameSchema.optional(),
    group: z
      .boolean()
      .optional()
      .describe('Whether the message is for the booker, with the link of the whole booking.'),
  }),
  response: { 200: z.object({ subject: z.string(), text: z.string(), html: z.string() }) },
});

const unsubscribeProblems = {
  400: 'The path or the query is malformed.',
  429: 'Too many unknown links from this address. See Retry-After.',
  ...unavailableResponse,
};

export const unsubscribeParamsSchema = z.object({ pool: poolIdSchema, token: z.string().min(1).max(200) });

export const unsubscribeQuerySchema = z.object({ language: z.string().max(35).optional() });

export const askToUnsubscribe = route.get('/unsubscribe/:pool/:token', {
  config: { access: 'public', problems: unsubscribeProblems },
  operationId: 'askToUnsubscribe',
  tags: ['Check-in'],
  summary: 'Show the page on which a guest unsubscribes from a pool’s messages',
  params: unsubscribeParamsSchema,
  querystring: unsubscribeQuerySchema,
  response: { 200: z.string().describe('A page with a button to unsubscribe.') },
});

export const unsubscribe = route.post('/unsubscribe/:pool/:token', {
  config: {
    access: 'public',
    problems: { ...unsubscribeProblems, 413: 'The body is too large.' },
  },
  operationId: 'unsubscribe',
  tags: ['Check-in'],
  summary: 'Unsubscribe an address from a pool’s messages',
  description: 'Unsubscribes the address of the link. The body is ignored (RFC 8058).',
  params: unsubscribeParamsSchema,
  querystring: unsubscribeQuerySchema,
  response: { 200: z.string().describe('A page that confirms the unsubscription.') },
});
