import { bookingGuestIdSchema, isStorableText, utcDateTimeSchema } from '@waiver-service/core';
import { z } from 'zod';
import { formLimits, signingLimits as limits } from './limits.ts';
import type { Answer, Signing } from './signing.ts';

const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine(isStorableText, 'has a character that cannot be stored (U+0000 or half a surrogate pair)');
const id = text(64).min(1);
const language = text(40).min(1);

const answer: z.ZodType<Answer> = z.union([
  text(limits.long),
  z.number(),
  z.boolean(),
  z.array(text(64)).max(limits.choices),
]);
const answers = z
  .record(id, answer)
  .refine((given) => Object.keys(given).length <= limits.answers, `have more than ${limits.answers} entries`);

const coordinate = z.int().min(-limits.coordinate).max(limits.coordinate);
const stroke = z.array(z.tuple([coordinate, coordinate, z.int().min(0).max(limits.strokeMs)])).min(1);
const strokes = z
  .array(stroke)
  .max(limits.strokes)
  .refine(
    (all) => all.reduce((count, points) => count + points.length, 0) <= limits.points,
    `have more than ${limits.points} points`,
  );
const side = z.int().min(1).max(limits.coordinate);

const done = {
  item: id,
  guest: z
    .int()
    .min(0)
    .max(limits.guests - 1)
    .nullable(),
  at: utcDateTimeSchema,
};
const act = z.union([
  z.strictObject({ ...done, act: z.literal('agree') }),
  z.strictObject({ ...done, act: z.literal('initial'), initials: text(limits.initials) }),
  z.strictObject({ ...done, act: z.literal('sign'), method: z.literal('type'), name: text(limits.name) }),
  z.strictObject({
    ...done,
    act: z.literal('sign'),
    method: z.literal('draw'),
    strokes,
    width: side,
    height: side,
  }),
]);

/** The number of base64 characters in a photo of the maximum size. */
const photoCharacters = Math.ceil(limits.photoBytes / 3) * 4;
const decodedBytes = (base64: string) =>
  (base64.length / 4) * 3 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);
const photo = z.strictObject({
  id,
  type: z.enum(['image/jpeg', 'image/png']),
  data: z
    .string()
    .max(photoCharacters)
    .regex(/^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'must be base64')
    .refine(
      (data) => decodedBytes(data) <= limits.photoBytes,
      `is larger than ${limits.photoBytes / 1024} KB`,
    ),
});

const signingFields = {
  id: z.uuid(),
  form: text(128).min(1),
  version: z.int().min(1).max(1_000_000_000),
  language,
  guests: z
    .array(z.strictObject({ bookingGuestId: bookingGuestIdSchema.optional(), answers }))
    .min(1)
    .max(limits.guests)
    .refine((guests) => {
      const ids = guests.map(({ bookingGuestId }) => bookingGuestId).filter((id) => id !== undefined);
      return new Set(ids).size === ids.length;
    }, 'have a bookingGuestId twice'),
  signer: z
    .strictObject({
      takesPart: z.boolean(),
      guardian: z
        .strictObject({
          name: text(limits.name).optional(),
          relationship: text(limits.line).optional(),
          dateOfBirth: text(10).optional(),
          ofAge: z.literal(true).optional(),
        })
        .optional(),
      answers,
    })
    .meta({ id: 'Signer' }),
  acts: z.array(act).max(limits.acts),
  photos: z
    .array(photo)
    .max(limits.photos)
    .refine((photos) => new Set(photos.map((one) => one.id)).size === photos.length, 'have an id twice')
    .optional(),
  times: z.strictObject({
    openedAt: utcDateTimeSchema,
    signedAt: utcDateTimeSchema,
    pages: z
      .array(z.strictObject({ page: id, at: utcDateTimeSchema }))
      .max(10 * formLimits.pages)
      .optional(),
    translatedAt: utcDateTimeSchema
      .optional()
      .describe('When the page was first seen translated by the browser; omitted if it never was.'),
  }),
};

/** The body of a signing, with a limit on every field. `checkSigning` decides whether it is complete. */
export const signingSchema: z.ZodType<Signing> = z.strictObject(signingFields).meta({ id: 'Signing' });

const { id: _, acts: __, photos: ___, times: ____, ...draftFields } = signingFields;

/** The body of a finished page: the answers so far, without acts. */
export const signedPageSchema = z.strictObject({ ...draftFields, page: id });
