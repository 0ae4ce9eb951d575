import { z } from 'zod';
import { mailAddressSchema } from '../alerts/mail-address.ts';
import type { Occasions, QuietHours } from './occasions.ts';
import { type MailLanguage, mailLanguages } from './texts/languages.ts';

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

const hasNoControls = (text: string) => !/\p{Cc}/u.test(text);

export const subjectSchema = z
  .string()
  .trim()
  .min(1)
  .max(150)
  .refine(hasNoControls, 'must be one line')
  .refine((text) => !text.includes('{link}'), 'must not have the link')
  .refine(knowsPlaceholders, placeholderError)
  .describe('Subject, in one line. Placeholders: {name}, {activity}, {date}, {time} and {operator}.');

export const textSchema = z
  .string()
  .trim()
  .min(1)
  .max(4_000)
  .refine((text) => text.includes('{link}'), 'must have the placeholder {link}')
  .refine(knowsPlaceholders, placeholderError)
  .describe(
    'Paragraphs with an empty line between them. Placeholders: {name}, {activity}, {date}, {time}, {link} (required) and {operator}.',
  );

const hour = (min: number, max: number) =>
  z.int().min(min).max(max).describe('Hour of the day in the pool’s time zone.');

export const mailLanguageSchema = z.enum(mailLanguages).meta({ id: 'MailLanguage' });

export const senderNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(70)
  .refine(hasNoControls, 'must be one line')
  .nullable()
  .describe(
    'The sender’s display name; null for the pool’s name. The sender’s address is set by ALERT_FROM.',
  );

/** The fields of a pool's invitations. */
export const contentFields = {
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
    .partialRecord(mailLanguageSchema, z.strictObject({ subject: subjectSchema, text: textSchema }))
    .describe('Texts that replace the default ones, by language.'),
};

/** Texts of a pool that replace the default ones. */
export interface PoolTexts {
  readonly subject: string;
  readonly text: string;
}

/** The settings of a pool's invitations. */
export interface InvitationContent {
  readonly occasions: Occasions;
  readonly senderName: string | null;
  readonly replyTo: string | null;
  readonly language: MailLanguage | null;
  readonly quietHours: QuietHours | null;
  readonly texts: { readonly [Language in MailLanguage]?: PoolTexts | undefined };
}

/** The settings of a pool that has set none. */
export const defaultContent: InvitationContent = {
  occasions: { daysBefore: { days: 3, hour: 10 }, eveningBefore: { hour: 18 }, morningOf: null },
  senderName: null,
  replyTo: null,
  language: null,
  quietHours: { from: 21, until: 8 },
  texts: {},
};

const storedSchema = z.object(contentFields).partial();

/** Parses stored settings. */
export function contentOf(stored: string | null | undefined): InvitationContent {
  const { success, data } = storedSchema.safeParse(JSON.parse(stored ?? '{}'));
  if (!success) throw new Error('the stored settings of invitations cannot be read');
  const given = Object.entries(data).filter(([, value]) => value !== undefined);
  return { ...defaultContent, ...Object.fromEntries(given) };
}
