import { isStorableText } from '@waiver-service/core';
import { z } from 'zod';
import { isDay } from './day.ts';
import { formLimits } from './limits.ts';
import { askKinds, consentActs, type Immutable, type Property, propertyKinds, signMethods } from './names.ts';

const languageSchema = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, 'must be a language tag such as en, de or pt-BR');

/** Ids of pages, items and options, which are used in JSON, CSS and URLs. */
const idSchema = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'must be a letter, then up to 63 letters, digits, _ or -');

const storable = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .refine(isStorableText, 'has a character that cannot be stored (U+0000 or half a surrogate pair)');

const activityIdSchema = storable(256);
const text = (maxLength: number) => z.record(languageSchema, storable(maxLength));
const label = text(formLimits.label);
const age = z.int().min(0).max(formLimits.age);

/** A text in each of the form's languages, by BCP 47 tag. {@link parseFormText} defines the markup. */
export type Text = Immutable<z.infer<typeof label>>;

/** One of these was the answer: option ids, `yes` and `no`, or country codes. */
const answerSchema = z.strictObject({
  answer: idSchema,
  in: z.array(storable(64)).min(1).max(formLimits.options),
});
/** The guest is younger on the day of the activity. False while the date of birth is unknown. */
const ageBelowSchema = z.strictObject({ ageBelow: age });
/** The guest takes part in one of these activities. */
const activitySchema = z.strictObject({
  activity: z.array(activityIdSchema).min(1).max(formLimits.activities),
});

/** When a page or an item is shown. Conditions look backwards: at answers to items above, never below. */
export type When =
  | Immutable<z.infer<typeof answerSchema> | z.infer<typeof ageBelowSchema> | z.infer<typeof activitySchema>>
  // Written out, because TypeScript does not infer a union that contains itself.
  | { readonly all: readonly When[] }
  | { readonly any: readonly When[] }
  | { readonly not: When };

const anyWhenSchema: z.ZodType<When> = z.lazy(() =>
  z.union([
    answerSchema,
    ageBelowSchema,
    activitySchema,
    z.strictObject({ all: z.array(anyWhenSchema).min(1).max(formLimits.conditionParts) }),
    z.strictObject({ any: z.array(anyWhenSchema).min(1).max(formLimits.conditionParts) }),
    z.strictObject({ not: anyWhenSchema }),
  ]),
);

const isNestedAtMost = (when: When, depth: number): boolean => {
  if ('all' in when) return depth > 0 && when.all.every((part) => isNestedAtMost(part, depth - 1));
  if ('any' in when) return depth > 0 && when.any.every((part) => isNestedAtMost(part, depth - 1));
  return 'not' in when ? depth > 0 && isNestedAtMost(when.not, depth - 1) : true;
};

const whenSchema = anyWhenSchema.refine(
  (when) => isNestedAtMost(when, formLimits.conditionDepth),
  `is nested deeper than ${formLimits.conditionDepth}`,
);

const base = {
  /** Unique in the form. Keeps its meaning from version to version: answers are stored under it. */
  id: idSchema,
  when: whenSchema.optional(),
};

const textItemSchema = z.strictObject({
  ...base,
  type: z.literal('text'),
  text: text(formLimits.text),
  /** The signer enters their initials below it. */
  initials: z.boolean().optional(),
});

/** A text to read. */
export type TextItem = Immutable<z.infer<typeof textItemSchema>>;

const agreeItemSchema = z.strictObject({
  ...base,
  type: z.literal('agree'),
  act: z.enum(consentActs),
  text: text(formLimits.text),
  required: z.boolean(),
});

/** A box that the signer ticks, for all guests of the signing. */
export type AgreeItem = Immutable<z.infer<typeof agreeItemSchema>>;

const optionSchema = z.strictObject({ id: idSchema, label });

/** An option to choose. */
export type Option = Immutable<z.infer<typeof optionSchema>>;

const askItemSchema = z.strictObject({
  ...base,
  type: z.literal('ask'),
  kind: z.enum(askKinds),
  label,
  help: label.optional(),
  required: z.boolean(),
  /** `guest`: each guest answers. `signer`: answered once, and copied to each guest. */
  per: z.enum(['guest', 'signer']),
  /** The named answer that it fills; default: the answer is stored under the item's id. */
  property: z.enum(Object.keys(propertyKinds) as [Property, ...Property[]]).optional(),
  /** For `choice` and `choices`. */
  options: z.array(optionSchema).min(1).max(formLimits.options).optional(),
  /** For `number` the value, for `text` and `long` the length, for `choices` the count. */
  min: z.number().min(-1_000_000).max(1_000_000).optional(),
  max: z.number().min(-1_000_000).max(1_000_000).optional(),
  /** Encrypted, and never in a waiver's answers. Requires an earlier required consent of act `health`. */
  sensitive: z.literal('health').optional(),
  /** Staff see the label if one of these was the answer (`yes` and `no`, or option ids). */
  flag: z
    .strictObject({ on: z.array(storable(64)).min(1).max(formLimits.options), label: storable(60) })
    .optional(),
  /** Days after which a health answer is deleted. */
  keepDays: z.int().min(1).max(formLimits.days).optional(),
});

/** A question. */
export type AskItem = Immutable<z.infer<typeof askItemSchema>>;

const signItemSchema = z.strictObject({
  ...base,
  type: z.literal('sign'),
  by: z.enum(['guest', 'guardian']),
  statement: text(formLimits.text),
  methods: z
    .array(z.enum(signMethods))
    .min(1)
    .max(signMethods.length)
    .refine((methods) => new Set(methods).size === methods.length, 'have one twice'),
});

/** A signature. `guest`: by each guest who signs; `guardian`: once, by the guardian, if there is a minor. */
export type SignItem = Immutable<z.infer<typeof signItemSchema>>;

export type Item = TextItem | AgreeItem | AskItem | SignItem;

const pageSchema = z.strictObject({
  id: idSchema,
  title: label,
  when: whenSchema.optional(),
  items: z
    .array(z.discriminatedUnion('type', [textItemSchema, agreeItemSchema, askItemSchema, signItemSchema]))
    .max(formLimits.itemsPerPage),
});
export type Page = Immutable<z.infer<typeof pageSchema>>;

const isDayOfYear = (day: string) => isDay(`2024-${day}`);

/**
 * The content of a form's version, including incomplete drafts: `formProblems` finds what publishing refuses. Unknown
 * fields are refused.
 */
export const formContentSchema = z.strictObject({
  /** BCP 47 tags; each text has all of them. The first is the default. */
  languages: z.array(languageSchema).min(1).max(formLimits.languages),
  /** The language whose text is binding, if translations are only for convenience. */
  binding: languageSchema.optional(),
  /** Ids of the activities that the form is for; empty: all. */
  activities: z.array(activityIdSchema).max(formLimits.activities),
  /** Valid for that day, for a number of days after it, or until the next such day of the year (`MM-DD`). */
  validity: z.union([
    z.strictObject({ visit: z.literal(true) }),
    z.strictObject({ days: z.int().min(1).max(formLimits.days) }),
    z.strictObject({ until: z.string().refine(isDayOfYear, 'must be a day of the year, such as 12-31') }),
  ]),
  /** `version`: a new version must be signed again; `form`: a signing of an earlier version remains valid. */
  reuse: z.enum(['version', 'form']),
  /** Who may take part and who signs for them. Ages are in whole years on the day of the activity. */
  people: z.strictObject({
    adults: z.boolean(),
    /** `guardian`: a parent or guardian signs for them; `alone`: they sign for themselves. */
    minors: z.enum(['no', 'guardian', 'alone']),
    /** The age at which a person signs for themselves. */
    majority: z.int().min(12).max(25),
    minAge: age.optional(),
    maxAge: age.optional(),
    /** The most minors in one signing. */
    maxMinors: z.int().min(0).max(formLimits.minors),
    /** Minors of at least this age also sign, in addition to their guardian. */
    minorSignsFrom: age.optional(),
  }),
  /** Questions to a guardian. Required if `people.minors` is `guardian`. */
  guardian: z
    .strictObject({ relationship: z.enum(['ask', 'require']), age: z.enum(['birthDate', 'tick']) })
    .optional(),
  pages: z
    .array(pageSchema)
    .min(1)
    .max(formLimits.pages)
    .refine(
      (pages) => pages.reduce((count, { items }) => count + items.length, 0) <= formLimits.items,
      `have more than ${formLimits.items} items`,
    ),
});

/** The content of one version of a form. */
export type FormContent = Immutable<z.infer<typeof formContentSchema>>;
export type People = FormContent['people'];
export type Validity = FormContent['validity'];

/** A published version; it never changes. */
export interface PublishedForm {
  readonly form: string;
  /** From 1. */
  readonly version: number;
  /** Hex SHA-256 of the content as canonical JSON (RFC 8785). */
  readonly hash: string;
  readonly content: FormContent;
}

/** The console's message to the check-in page in its frame: a form that is being edited. */
export interface FormPreview {
  readonly kind: 'form-preview';
  readonly content: FormContent;
  readonly language: string;
  /** The id of the page to show. */
  readonly page: string | undefined;
  readonly poolName: string;
}
