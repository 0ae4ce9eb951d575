import { poolIdSchema } from '@waiver-service/core';
import { z } from 'zod';
import {
  dateTimeSchema,
  expiresAtSchema,
  keyItemSchema,
  keyNameSchema,
  noContentSchema,
  pagesOf,
  unavailableResponse,
} from './fields.ts';
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
  ...pagesOf(credentialSchema),
});

export const deleteCredential = route.delete('/v1/admin/credentials/:id', {
  config: { access: 'owner' },
  operationId: 'deleteCredential',
  summary: 'Revoke a credential',
  description: 'The credential stops working immediately, on every host.',
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
  ...pagesOf(sessionSchema),
});

export const endSession = route.delete('/v1/admin/sessions/:id', {
  config: { access: 'owner' },
  operationId: 'endSession',
  summary: 'End a console session',
  description:
    'Takes effect immediately, on every host. The person can sign in again until their credential is revoked, or until the issuer or `OIDC_ROLES` gives them no role.',
  response: { 204: noContentSchema },
});

const secretSchema = z.string().min(1).max(1024);

const signInSchema = z
  .union([
    z.strictObject({ token: secretSchema.describe('A credential’s token, or the admin token.') }),
    z.strictObject({ code: secretSchema.describe('The code of a sign-in link.') }),
  ])
  .describe('Either a token or the code of a sign-in link.');

export const readSignInLink = route.post('/console/api/sign-in-link', {
  config: {
    access: 'public',
    problems: {
      401: 'The code is wrong, was used before, or is too old.',
      429: 'Too many wrong codes from this address; see Retry-After.',
      ...unavailableResponse,
    },
  },
  bodyLimit: 4096,
  operationId: 'readSignInLink',
  tags: ['Console'],
  summary: 'Read whom a sign-in link signs in, without using the link',
  body: z.strictObject({ code: secretSchema.describe('The code of a sign-in link.') }),
  response: { 200: z.object({ name: z.string(), role: z.enum(['owner', 'operator', 'viewer']) }) },
});

export const signIn = route.post('/console/api/session', {
  config: {
    access: 'public',
    problems: {
      401: 'The token or the code is wrong.',
      403: 'The token belongs to a waiver app.',
      429: 'Too many wrong tokens from this address; see Retry-After.',
      ...unavailableResponse,
    },
  },
  bodyLimit: 4096,
  operationId: 'signIn',
  tags: ['Console'],
  summary: 'Sign in to the console',
  description:
    'Sets a cookie that scripts cannot read. The cookie is accepted only with the header `X-Waiver-Console`, which other sites cannot send. Ends any previous session of the browser.',
  body: signInSchema,
  response: { 204: noContentSchema },
});

export const signOut = route.delete('/console/api/session', {
  config: { access: 'public', problems: unavailableResponse },
  operationId: 'signOut',
  tags: ['Console'],
  summary: 'Sign out of the console',
  response: { 204: noContentSchema },
});

export const createSignInLink = route.post('/v1/admin/sign-in-links', {
  config: { access: 'operator', poolCheck: 'none' },
  operationId: 'createSignInLink',
  summary: 'Create a one-time link that opens the console signed in as the caller',
  description:
    'The link is valid for 15 minutes. The code follows the `#` of the URL, so that it appears in no log.',
  response: { 201: z.object({ url: z.url(), expiresAt: z.iso.datetime() }) },
});

const callbackQuerySchema = z.looseObject({
  state: z.string().max(512).optional().describe('The `state` from the URL of the issuer’s page.'),
  code: z.string().max(4096).optional().describe('Authorization code that the issuer issued.'),
  error: z.string().max(512).optional().describe('Why the issuer issued no code.'),
});

export const readSignIn = route.get('/console/api/sign-in', {
  config: { access: 'public' },
  operationId: 'readSignIn',
  tags: ['Console'],
  summary: 'Read how people can sign in other than with a token',
  response: {
    200: z.object({
      issuer: z
        .object({ name: z.string() })
        .nullable()
        .describe('The OpenID Connect issuer; null if none is configured.'),
    }),
  },
});

export const beginSignIn = route.post('/console/api/sign-in', {
  config: {
    access: 'public',
    problems: {
      403: 'The request was not sent by the console.',
      404: 'No issuer is configured.',
      502: 'The issuer’s response is invalid (`issuer_unavailable`).',
      503: 'The issuer cannot be reached (`issuer_unavailable`), or the database is temporarily unavailable.',
    },
  },
  bodyLimit: 4096,
  operationId: 'beginSignIn',
  tags: ['Console'],
  summary: 'Begin signing in through the OpenID Connect issuer',
  description:
    'Requires the header `X-Waiver-Console`, which other sites cannot send. Sets a cookie that ties the sign-in to this browser and is valid once, for 10 minutes.',
  body: z.strictObject({
    landing: z
      .string()
      .max(2048)
      .optional()
      .describe(
        'Page of the console to open after the sign-in; the first page if omitted or not a page of the console.',
      ),
  }),
  response: { 200: z.object({ url: z.url().describe('URL of the issuer’s page to open.') }) },
});

export const endSignIn = route.get('/console/sign-in/callback', {
  // A HEAD request would end the visit.
  exposeHeadRoute: false,
  config: {
    access: 'public',
    problems: {
      400: 'The sign-in began in another browser, is too old, or was already used.',
      403: 'The issuer refused the sign-in, or the account has no role in this service.',
      404: 'No issuer is configured.',
      502: 'The issuer did not accept the code, or its response is invalid.',
      503: 'The issuer cannot be reached, or the database is temporarily unavailable.',
    },
  },
  operationId: 'endSignIn',
  tags: ['Console'],
  summary: 'Return from the OpenID Connect issuer',
  description:
    'For browsers: redirects to the console, signed in, or returns a page that says why the sign-in failed. The `state` is valid once, for 10 minutes, in the browser that began the sign-in.',
  querystring: callbackQuerySchema,
  response: { 303: z.null().describe('Signed in: redirects to the page of the console.') },
});
