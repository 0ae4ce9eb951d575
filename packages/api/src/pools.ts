import { z } from 'zod';
import {
  dateTimeSchema,
  expiresAtSchema,
  keyItemSchema,
  keyNameSchema,
  noContentSchema,
  pagesOf,
} from './fields.ts';
import { tokenScopes } from './names.ts';
import { route } from './route.ts';

const installsSchema = z
  .enum(['first', 'any', 'approve'])
  .describe(
    'Which booking systems can install themselves without approval: only the pool’s first one (`first`), any (`any`) or none (`approve`). An installation by an operator never needs approval.',
  );

const retentionSchema = z.strictObject({
  waiversDays: z
    .int()
    .min(1)
    .max(36_500)
    .nullable()
    .describe(
      'How many days after the visit a waiver is removed; for a minor whose date of birth is known, after the 18th birthday if that is later. null for never.',
    ),
});

/** Whether a text is an IANA time zone, such as `Europe/London`. */
export const isTimeZone = (name: string) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

export const poolSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    prefillProperties: z.array(z.string()),
    installs: installsSchema,
    defaultBookingSystem: z
      .string()
      .nullable()
      .describe(
        'The install name of the booking system for requests that specify none. If null, the only installed one is used; if there are several, requests must specify one.',
      ),
    timeZone: z.string(),
    retention: retentionSchema,
    createdAt: dateTimeSchema,
    updatedAt: dateTimeSchema,
  })
  .meta({ id: 'Pool' });

/** One app of an operator. */
export type Pool = Readonly<z.input<typeof poolSchema>>;

const poolBodySchema = z.strictObject({
  name: z.string().min(1).max(200),
  prefillProperties: z
    .array(z.string().min(1).max(128))
    .max(100)
    .transform((names) => [...new Set(names)])
    .optional()
    .describe('Properties of bookings and guests to pre-fill in addition to name, email and phoneNumber.'),
  installs: installsSchema.optional(),
  defaultBookingSystem: z
    .string()
    .nullish()
    .describe(
      'The install name of an installed booking system, used for requests that specify none. If null, requests must specify one when several are installed.',
    ),
  retention: retentionSchema.optional(),
  timeZone: z
    .string()
    .refine(isTimeZone, 'is not the name of a time zone, such as Europe/Berlin')
    .optional()
    .describe(
      'The IANA time zone in which the days of visits, and guests’ ages on those days, are determined. UTC by default.',
    ),
});

/** Omitted fields of an existing pool stay unchanged. */
export type PoolSettings = Readonly<z.output<typeof poolBodySchema>>;

export const putPool = route.put('/v1/admin/pools/:pool', {
  config: { access: 'operator' },
  operationId: 'putPool',
  summary: 'Create or change a pool',
  description:
    'Omitted fields stay unchanged; the default of `installs` is `first`. The first booking system that is installed becomes the pool’s default.',
  body: poolBodySchema,
  response: { 200: poolSchema },
});

export const listPools = route.get('/v1/admin/pools', {
  config: { access: 'viewer', poolCheck: 'by-handler' },
  operationId: 'listPools',
  summary: 'List the pools',
  ...pagesOf(poolSchema),
});

export const readPool = route.get('/v1/admin/pools/:pool', {
  config: { access: 'viewer' },
  operationId: 'readPool',
  summary: 'Read a pool',
  response: { 200: poolSchema },
});

const scopeSchema = z.enum(tokenScopes).meta({ id: 'TokenScope' });

const newAccessTokenSchema = z
  .strictObject({
    name: keyNameSchema.optional().describe('A name by which people recognize the token.'),
    scopes: z
      .array(scopeSchema)
      .min(1)
      .max(tokenScopes.length)
      .transform((scopes) => [...new Set(scopes)])
      .optional()
      .describe('The scopes of the token; all if omitted.'),
    expiresAt: expiresAtSchema.optional(),
  })
  .optional();

/** A new token of a waiver app. */
export type AccessTokenSettings = Readonly<NonNullable<z.output<typeof newAccessTokenSchema>>>;

export const accessTokenSchema = keyItemSchema
  .extend({
    name: z.string().nullable(),
    scopes: z.array(scopeSchema),
    expiresAt: dateTimeSchema.nullable().describe('When the token expires; null if never.'),
  })
  .meta({ id: 'AccessToken' });

/** An access token without its secret. */
export type AccessToken = Readonly<z.input<typeof accessTokenSchema>>;

export const createAccessToken = route.post('/v1/admin/pools/:pool/access-tokens', {
  config: { access: 'operator' },
  operationId: 'createAccessToken',
  summary: 'Create an access token, which is shown only once',
  body: newAccessTokenSchema,
  response: { 201: z.object({ id: z.string(), token: z.string() }) },
});

export const listAccessTokens = route.get('/v1/admin/pools/:pool/access-tokens', {
  config: { access: 'viewer' },
  operationId: 'listAccessTokens',
  summary: 'List the access tokens of a pool',
  ...pagesOf(accessTokenSchema),
});

export const deleteAccessToken = route.delete('/v1/admin/pools/:pool/access-tokens/:id', {
  config: { access: 'operator' },
  operationId: 'deleteAccessToken',
  summary: 'Revoke an access token',
  response: { 204: noContentSchema },
});
