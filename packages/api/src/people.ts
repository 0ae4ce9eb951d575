import { poolIdSchema } from '@waiver-service/core';
import { z } from 'zod';
import { dateTimeSchema } from './date-time.ts';
import { noContentSchema } from './fields.ts';
import { expiresAtSchema, keyItemSchema, keyNameSchema } from './keys.ts';
import { pageQuerySchema, pageSchema } from './pages.ts';
import { idPathSchema } from './paths.ts';
import { route } from './route.ts';

const maxPoolsOfCredential = 100;

const roleSchema = z.enum(['owner', 'operator', 'viewer']).meta({
  id: 'Role',
  description:
    'What a person or program may do. `owner`: everything. `operator`: everything in its pools, except what only owners may do, such as managing credentials, install keys and settings of booking systems. `viewer`: reading its pools, without guests’ data.',
});

const newCredentialSchema = z
  .strictObject({
    name: keyNameSchema.describe('The name of the person or program that will use the credential.'),
    role: roleSchema,
    pools: z
      .array(poolIdSchema)
      .min(1)
      .max(maxPoolsOfCredential)
      .transform((pools) => [...new Set(pools)])
      .optional()
      .describe(
        'The pools that the credential can access; if omitted, all, including later ones. Not allowed for an owner, who has all.',
      ),
    expiresAt: expiresAtSchema.optional(),
  })
  .refine(({ role, pools }) => role !== 'owner' || pools === undefined, {
    path: ['pools'],
    message: 'an owner has all pools: leave this out, or choose another role',
  });

/** A new token of a person or a program. */
export type CredentialSettings = Readonly<z.output<typeof newCredentialSchema>>;

export const shownPoolsSchema = z
  .array(z.string())
  .nullable()
  .describe('The ids of the pools; null for all pools.');

export const credentialSchema = keyItemSchema
  .extend({
    name: z.string(),
    role: roleSchema,
    pools: shownPoolsSchema,
    expiresAt: dateTimeSchema.nullable().describe('When the credential expires; null if never.'),
  })
  .meta({ id: 'Credential' });

/** A credential without its token. */
export type Credential = Readonly<z.input<typeof credentialSchema>>;

export const createCredential = route.post('/v1/admin/credentials', {
  config: { access: 'owner' },
  operationId: 'createCredential',
  summary: 'Create a credential for a person or a program; its token is shown only once',
  body: newCredentialSchema,
  response: { 201: z.object({ id: z.string(), token: z.string() }) },
});

export const listCredentials = route.get('/v1/admin/credentials', {
  config: { access: 'owner' },
  operationId: 'listCredentials',
  summary: 'List the credentials',
  querystring: pageQuerySchema,
  response: { 200: pageSchema(credentialSchema) },
});

export const deleteCredential = route.delete('/v1/admin/credentials/:id', {
  config: { access: 'owner' },
  operationId: 'deleteCredential',
  summary: 'Revoke a credential',
  description: 'The credential stops working immediately, on every host.',
  params: idPathSchema,
  response: { 204: noContentSchema },
});

export const readMe = route.get('/v1/admin/me', {
  config: { access: 'viewer', poolCheck: 'none' },
  operationId: 'readMe',
  summary: 'Read the name, role and pools of the caller',
  response: { 200: z.object({ name: z.string(), role: roleSchema, pools: shownPoolsSchema }) },
});

export const sessionSchema = z
  .object({
    id: z.string(),
    actor: z
      .string()
      .describe(
        'Who is signed in, as in the audit log: `admin-token`, `credential:<id>` or `oidc:<subject>`.',
      ),
    name: z.string(),
    role: roleSchema,
    pools: shownPoolsSchema,
    createdAt: dateTimeSchema,
    lastUsedAt: dateTimeSchema.describe('When the session was last used, accurate to a minute.'),
    expiresAt: dateTimeSchema.describe(
      'When the session ends at the latest. It ends earlier if unused for 8 hours.',
    ),
  })
  .meta({ id: 'Session' });

export const listSessions = route.get('/v1/admin/sessions', {
  config: { access: 'owner' },
  operationId: 'listSessions',
  summary: 'List who is signed in to the console',
  querystring: pageQuerySchema,
  response: { 200: pageSchema(sessionSchema) },
});

export const endSession = route.delete('/v1/admin/sessions/:id', {
  config: { access: 'owner' },
  operationId: 'endSession',
  summary: 'End a console session',
  description:
    'Takes effect immediately, on every host. The person can sign in again until their credential is revoked, or until the issuer or `OIDC_ROLES` gives them no role.',
  params: idPathSchema,
  response: { 204: noContentSchema },
});
