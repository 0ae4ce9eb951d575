import { isStorableText } from '@waiver-service/core';
import { z } from 'zod';
import {
  askKinds,
  consentActs,
  type FormContent,
  type Item,
  type Option,
  type Page,
  type Property,
  propertyKinds,
  signMethods,
  type Text,
  type When,
} from './content.ts';
import { isDay } from './day.ts';
import { formLimits } from './limits.ts';

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
const text = (maxLength: number): z.ZodType<Text> => z.record(languageSchema, storable(maxLength));
const label = text(formLimits.label);
const age = z.int().min(0).max(formLimits.age);

const isNestedAtMost = (when: When, depth: number): boolean => {
  if ('all' in when) return depth > 0 && when.all.every((part) => isNestedAtMost(part, depth - 1));
  if ('any' in when) return depth > 0 && when.any.every((part) => isNestedAtMost(part, depth - 1));
  return 'not' in when ? depth > 0 && isNestedAtMost(when.not, depth - 1) : true;
};

const anyWhenSchema: z.ZodType<When> = z.lazy(() =>
  z.union([
    z.strictObject({ answer: idSchema, in: z.array(storable(64)).min(1).max(formLimits.options) }),
    z.strictObject({ ageBelow: age }),
    z.strictObject({ activity: z.array(activityIdSchema).min(1).max(formLimits.activities) }),
    z.strictObject({ all: z.array(anyWhenSchema).min(1).max(formLimits.conditionParts) }),
    z.strictObject({ any: z.array(anyWhenSchema).min(1).max(formLimits.conditionParts) }),
    z.strictObject({ not: anyWhenSchema }),
  ]),
);
const whenSchema = anyWhenSchema.refine(
  (when) => isNestedAtMost(when, formLimits.conditionDepth),
  `is nested deeper than ${formLimits.conditionDepth}`,
);

const base = { id: idSchema, when: whenSchema.optional() };

const optionSchema: z.ZodType<Option> = z.strictObject({ id: idSchema, label });

const itemSchema: z.ZodType<Item> = z.discriminatedUnion('type', [
  z.strictObject({
    ...base,
    type: z.literal('text'),
    text: text(formLimits.text),
    initials: z.boolean().optional(),
  }),
  z.strictObject({
    ...base,
    type: z.literal('agree'),
    act: z.enum(consentActs),
    text: text(formLimits.text),
    required: z.boolean(),
  }),
  z.strictObject({
    ...base,
    type: z.literal('ask'),
    kind: z.enum(askKinds),
    label,
    help: label.optional(),
    required: z.boolean(),
    per: z.enum(['guest', 'signer']),
    property: z.enum(Object.keys(propertyKinds) as [Property, ...Property[]]).optional(),
    options: z.array(optionSchema).min(1).max(formLimits.options).optional(),
    min: z.number().min(-1_000_000).max(1_000_000).optional(),
    max: z.number().min(-1_000_000).max(1_000_000).optional(),
    sensitive: z.literal('health').optional(),
    flag: z
      .strictObject({ on: z.array(storable(64)).min(1).max(formLimits.options), label: storable(60) })
      .optional(),
    keepDays: z.int().min(1).max(formLimits.days).optional(),
  }),
  z.strictObject({
    ...base,
    type: z.literal('sign'),
    by: z.enum(['guest', 'guardian']),
    statement: text(formLimits.text),
    methods: z
      .array(z.enum(signMethods))
      .min(1)
      .max(signMethods.length)
      .refine((methods) => new Set(methods).size === methods.length, 'have one twice'),
  }),
]);

const pageSchema: z.ZodType<Page> = z.strictObject({
  id: idSchema,
  title: label,
  when: whenSchema.optional(),
  items: z.array(itemSchema).max(formLimits.itemsPerPage),
});

const isDayOfYear = (text: string) => isDay(`2024-${text}`);

/**
 * The content of a form's version, including incomplete drafts: `formProblems` finds what publishing refuses. Unknown
 * fields are refused.
 */
export const formContentSchema: z.ZodType<FormContent> = z.strictObject({
  languages: z.array(languageSchema).min(1).max(formLimits.languages),
  binding: languageSchema.optional(),
  activities: z.array(activityIdSchema).max(formLimits.activities),
  validity: z.union([
    z.strictObject({ visit: z.literal(true) }),
    z.strictObject({ days: z.int().min(1).max(formLimits.days) }),
    z.strictObject({ until: z.string().refine(isDayOfYear, 'must be a day of the year, such as 12-31') }),
  ]),
  reuse: z.enum(['version', 'form']),
  people: z.strictObject({
    adults: z.boolean(),
    minors: z.enum(['no', 'guardian', 'alone']),
    majority: z.int().min(12).max(25),
    minAge: age.optional(),
    maxAge: age.optional(),
    maxMinors: z.int().min(0).max(formLimits.minors),
    minorSignsFrom: age.optional(),
  }),
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
