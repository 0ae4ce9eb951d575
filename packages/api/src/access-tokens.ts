import { z } from 'zod';
import { dateTimeSchema } from './date-time.ts';
import { noContentSchema } from './fields.ts';
import { expiresAtSchema, keyItemSchema, keyNameSchema } from './keys.ts';
import { tokenScopes } from './names.ts';
import { pageQuerySchema, pageSchema } from './pages.ts';
import { poolIdPathSchema, poolPathSchema } from './paths.ts';
import { route } from './route.ts';

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
  params: poolPathSchema,
  body: newAccessTokenSchema,
  response: { 201: z.object({ id: z.string(), token: z.string() }) },
});

export const listAccessTokens = route.get('/v1/admin/pools/:pool/access-tokens', {
  config: { access: 'viewer' },
  operationId: 'listAccessTokens',
  summary: 'List the access tokens of a pool',
  params: poolPathSchema,
  querystring: pageQuerySchema,
  response: { 200: pageSchema(accessTokenSchema) },
});

export const deleteAccessToken = route.delete('/v1/admin/pools/:pool/access-tokens/:id', {
  config: { access: 'operator' },
  operationId: 'deleteAccessToken',
  summary: 'Revoke an access token',
  params: poolIdPathSchema,
  response: { 204: noContentSchema },
});
