import { bookingGuestIdSchema, isStorableText, utcDateTimeSchema } from '@waiver-service/core';
import { z } from 'zod';
import { signingLimits as limits } from './limits.ts';
import type { ConsentAct, Immutable, SignMethod } from './names.ts';

const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine(isStorableText, 'has a character that cannot be stored (U+0000 or half a surrogate pair)');
const id = text(64).min(1);
const language = text(40).min(1);

const answer = z.union([text(limits.long), z.number(), z.boolean(), z.array(text(64)).max(limits.choices)]);
const answers = z
  .record(id, answer)
  .refine((given) => Object.keys(given).length <= limits.answers, `have more than ${limits.answers} entries`);

/** An answer as given; for a photo, the id of one of the signing's photos. */
export type Answer = Immutable<z.infer<typeof answer>>;
/** Answers by the ids of their items. */
export type GivenAnswers = Immutable<z.infer<typeof answers>>;

/** The points of one stroke: x and y in the pad's pixels, milliseconds since the first point. */
export type Stroke = Immutable<z.infer<typeof stroke>>;

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
  /** On whose behalf, as an index into `guests`; null: for all. */
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

/** An act of the signer. */
export type Act = Immutable<z.infer<typeof act>>;

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

/** A photo; `data` is base64. */
export type SigningPhoto = Immutable<z.infer<typeof photo>>;

/** A parent or guardian. The name is required only if they do not take part. */
const guardian = z.strictObject({
  name: text(limits.name).optional(),
  relationship: text(limits.line).optional(),
  dateOfBirth: text(10).optional(),
  ofAge: z.literal(true).optional(),
});
export type Guardian = Immutable<z.infer<typeof guardian>>;

const signingFields = {
  /** A UUID from the device. */
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
      /** True: the first guest is the signer. */
      takesPart: z.boolean(),
      guardian: guardian.optional(),
      /** Answers to items that are asked per signer. */
      answers,
    })
    .meta({ id: 'Signer' }),
  acts: z.array(act).max(limits.acts),
  photos: z
    .array(photo)
    .max(limits.photos)
    .refine((photos) => new Set(photos.map((one) => one.id)).size === photos.length, 'have an id twice')
    .optional(),
  /** By the device's clock, UTC. */
  times: z.strictObject({
    openedAt: utcDateTimeSchema,
    signedAt: utcDateTimeSchema,
    pages: z
      .array(z.strictObject({ page: id, at: utcDateTimeSchema }))
      .max(limits.pages)
      .optional(),
    translatedAt: utcDateTimeSchema
      .optional()
      .describe('When the page was first seen translated by the browser; omitted if it never was.'),
  }),
};

/** The body of a signing, with a limit on every field. `checkSigning` decides whether it is complete. */
export const signingSchema = z.strictObject(signingFields).meta({ id: 'Signing' });

/** One signer, and the minors for whom they sign. */
export type Signing = Immutable<z.infer<typeof signingSchema>>;
export type SigningGuest = Signing['guests'][number];
export type Signer = Signing['signer'];

const { id: _, acts: __, photos: ___, times: ____, ...draftFields } = signingFields;

/** The body of a finished page: the answers so far, without acts. */
export const signedPageSchema = z.strictObject({ ...draftFields, page: id });

/** A signing that is being filled in. */
export type SigningDraft = Pick<Signing, 'language' | 'guests' | 'signer'> &
  Partial<Pick<Signing, 'acts' | 'photos'>>;

/** A shown question, text, consent or signature; `guest`: who is asked, null: asked once for all. */
export interface ShownItemOf {
  readonly page: string;
  readonly item: string;
  readonly guest: number | null;
}

/** An item that is missing or wrong. */
export interface SigningProblem {
  /** Null: about the people, not an item. */
  readonly item: string | null;
  readonly guest: number | null;
  /** A path in the signing, such as `guests[0].answers.name`. */
  readonly field: string;
  /** For the guest, in their language. */
  readonly message: string;
}

/** The answers of one guest's waiver, by property or item id, including the signer's. */
export interface SigningWaiver {
  readonly guest: number;
  readonly bookingGuestId?: string;
  readonly answers: Readonly<Record<string, Answer>>;
}

/** An item as shown, in the signing's language. `guests`: who was asked; null: asked once for all. */
export type ShownItem = { readonly item: string; readonly guests: readonly number[] | null } & (
  | { readonly type: 'text'; readonly text: string; readonly initials: boolean }
  | { readonly type: 'agree'; readonly act: ConsentAct; readonly text: string; readonly required: boolean }
  | {
      readonly type: 'ask';
      /** The name of its answer in the waiver; without it, the item's id. */
      readonly property?: string;
      readonly label: string;
      readonly help?: string;
      readonly options?: readonly { readonly id: string; readonly label: string }[];
      readonly required: boolean;
    }
  | {
      readonly type: 'sign';
      readonly by: 'guest' | 'guardian';
      readonly statement: string;
      readonly methods: readonly SignMethod[];
    }
);

/** A page as shown. */
export interface ShownPage {
  readonly page: string;
  readonly title: string;
  readonly items: readonly ShownItem[];
}

/** The result of a complete signing. */
export interface SigningResult {
  /** One for each guest, without health answers. */
  readonly waivers: readonly SigningWaiver[];
  /** Labels for staff. */
  readonly flags: readonly { readonly guest: number; readonly item: string; readonly label: string }[];
  /** Answers to health questions, which no waiver contains. */
  readonly health: readonly {
    readonly guest: number | null;
    readonly item: string;
    readonly value: Answer;
    readonly keepDays: number | null;
  }[];
  /** The text that was shown, without anything that reveals a health answer. */
  readonly shown: readonly ShownPage[];
  /** The text shown because of a health answer, which it reveals. */
  readonly shownForHealth: readonly ShownPage[];
  /** The acts on shown items; if an item has several, the last. */
  readonly acts: readonly Act[];
  /** The guardian, if a minor needs one. */
  readonly guardian: Guardian | null;
  /** The photos that answers refer to, which no waiver contains. */
  readonly photos: readonly {
    readonly item: string;
    readonly guest: number | null;
    readonly photo: SigningPhoto;
  }[];
}
