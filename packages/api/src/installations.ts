import {
  accountIdSchema,
  bookingForms,
  bookingIdSchema,
  bookingSchema,
  installResponseSchema,
  partnerApiKeySchema,
} from '@waiver-service/core';
import { z } from 'zod';
import { answerNamesSchema } from './answers.ts';
import { maxIntegrationBodyBytes, sendCredentialsToSchema } from './booking-systems.ts';
import { bookingWarningSchema, readStepSchema } from './bookings.ts';
import { addressSchema, dateTimeSchema } from './fields.ts';
import { route } from './route.ts';

export const describeCheck = route.get('/v1/admin/pools/:pool/installations/:booking_system/check', {
  config: { access: 'viewer' },
  operationId: 'describeCheck',
  summary:
    'Read whether an installation can be checked against the contract, and which requests a check sends',
  response: {
    200: z.object({
      possible: z.boolean(),
      reason: z.string().optional().describe('Why the installation cannot be checked; absent if it can.'),
      reads: z.array(z.string()).describe('The requests of a check that only read, as sentences.'),
      writes: z
        .array(z.string())
        .describe(
          'The additional requests of a check with `write`, as sentences; empty if the check cannot write.',
        ),
      maxSeconds: z.int(),
    }),
  },
});

export const checkInstallation = route.post('/v1/admin/pools/:pool/installations/:booking_system/check', {
  config: {
    access: 'operator',
    problems: {
      409: 'The installation cannot be checked, or a check of it is already running; `code` says which.',
    },
  },
  operationId: 'checkInstallation',
  summary: 'Check an installed booking system’s endpoints against the contract',
  description:
    'Only for booking systems that follow the contract; an installation has one check at a time. Returns one JSON object per line: `{type: "clause", id, section, title, holds, found?, change?, because?, request?, answer?}` as soon as a clause has been checked (`holds` is null if the clause could not be checked), and finally `{type: "end", ok, held, failed, notChecked}`. With `write`, Guest Updates of made-up waivers are sent and then voided, even if the caller disconnects.',
  produces: ['application/x-ndjson'],
  body: z.strictObject({
    bookingId: bookingIdSchema.describe(
      'The id of an existing booking; with `write`, of one that is meant for tests.',
    ),
    write: z.boolean().default(false).describe('Whether to send Guest Updates of made-up waivers as well.'),
  }),
  response: { 200: z.unknown().describe('The results, as one JSON object per line.') },
});

export const installationAddressFields = {
  baseUrl: addressSchema
    .nullable()
    .optional()
    .describe(
      'A base address to use instead of the booking system’s; null restores the booking system’s. Only an owner may change it.',
    ),
  environment: z
    .enum(['live', 'test'])
    .nullable()
    .optional()
    .describe(
      'The environment to use, if the booking system has several (`capabilities.environments`); null restores the usual one.',
    ),
};

const webhookRegistrationSchema = z
  .object({
    state: z
      .enum(['registering', 'registered', 'failing'])
      .describe(
        '`failing`: the last attempt to register the webhooks failed; it is repeated in the background.',
      ),
    registeredAt: dateTimeSchema
      .optional()
      .describe('When the webhooks were last registered or found to be in order.'),
    lastFailure: z.object({ at: dateTimeSchema, code: z.string(), message: z.string() }).optional(),
  })
  .meta({ id: 'WebhookRegistration' });

/** One installation of a pool, without its apiKey or other account information. */
export const installationSchema = z
  .object({
    bookingSystem: z.string(),
    accountId: accountIdSchema,
    installedAt: dateTimeSchema,
    status: z
      .enum(['active', 'pending', 'needs_attention'])
      .describe(
        '`pending`: nothing is read or sent until an operator approves the installation. `needs_attention`: the booking system refuses the authorization; Guest Updates are kept until this is resolved.',
      ),
    attention: z
      .object({ since: dateTimeSchema, reason: z.string() })
      .optional()
      .describe('Since when and why the installation needs attention, and what to do.'),
    paused: z
      .boolean()
      .describe(
        'Whether the destination of the installation is paused; Guest Updates are kept until it is resumed.',
      ),
    approvedBy: z
      .string()
      .nullable()
      .describe('Who approved the installation; null if it is pending or needed no approval.'),
    approvedAt: dateTimeSchema.nullable(),
    baseUrl: z
      .string()
      .nullable()
      .describe(
        'The base address used instead of the booking system’s; null if the booking system’s is used.',
      ),
    environment: z.enum(['live', 'test']).nullable(),
    shareProperties: z
      .array(z.string())
      .describe('The names of the answers that may be sent to the booking system.'),
    shareDocument: z
      .boolean()
      .describe('Whether the signed document, without answers on health, may be sent to the booking system.'),
    shareAllowedBy: z
      .string()
      .nullable()
      .describe('Who last set what may be shared with the booking system; null if never set.'),
    shareAllowedAt: dateTimeSchema.nullable(),
    lastSuccessAt: dateTimeSchema.optional().describe('When a Guest Update was last delivered.'),
    lastFailure: z
      .object({ at: dateTimeSchema, errorCode: z.string().optional(), status: z.int().optional() })
      .optional()
      .describe('The last failed attempt to deliver a Guest Update.'),
    webhooks: webhookRegistrationSchema
      .optional()
      .describe(
        'The registration of webhooks with the vendor; absent if the service registers none for this installation.',
      ),
  })
  .meta({ id: 'Installation' });

/** An installation as an operator sees it. */
export type InstallationSummary = Readonly<z.input<typeof installationSchema>>;

export const installationChangeSchema = z
  .strictObject({
    shareProperties: answerNamesSchema.optional(),
    shareDocument: z
      .boolean()
      .optional()
      .describe(
        'Whether to send the signed document, with signatures, photos and all answers except those on health, even answers that are not shared. Requires a booking system that takes files (`capabilities.takes`).',
      ),
    ...installationAddressFields,
    sendCredentialsTo: sendCredentialsToSchema,
  })
  .refine(({ sendCredentialsTo: _, ...change }) => Object.keys(change).length > 0, {
    path: ['shareProperties'],
    message: 'this, shareDocument, baseUrl or environment has to be given',
  });

export const listInstallations = route.get('/v1/admin/pools/:pool/installations', {
  config: { access: 'viewer' },
  operationId: 'listInstallations',
  summary: 'List the booking systems that are installed for a pool',
  response: { 200: z.object({ items: z.array(installationSchema) }) },
});

export const putInstallation = route.put('/v1/admin/pools/:pool/installations/:booking_system', {
  config: {
    access: 'operator',
    problems: { 409: 'The booking system is already installed for this pool with another account.' },
  },
  bodyLimit: maxIntegrationBodyBytes,
  operationId: 'putInstallation',
  summary: 'Install a booking system for a pool',
  description:
    'Intended for booking systems that do not install themselves, but works for all. Besides `baseUrl` and `environment`, the body contains `accountId`, unless the plugin has an `accountIdField`, `apiKey` and the fields of the plugin’s `accountSchema`. The `apiKey` in the response is the new app pool key, which is not shown again.',
  body: z.looseObject({
    accountId: accountIdSchema.optional(),
    apiKey: partnerApiKeySchema,
    ...installationAddressFields,
  }),
  response: { 200: installResponseSchema.pick({ webhookUrl: true, apiKey: true }) },
});

export const shareAnswers = route.patch('/v1/admin/pools/:pool/installations/:booking_system', {
  config: {
    access: 'operator',
    problems: {
      409: 'Stored credentials would be sent to another server, and `sendCredentialsTo` does not allow it.',
    },
  },
  operationId: 'shareAnswers',
  summary: 'Set which data may be sent to an installed booking system, and its address',
  description: 'Omitted fields stay unchanged.',
  body: installationChangeSchema,
  response: { 200: installationSchema },
});

export const deleteInstallation = route.delete('/v1/admin/pools/:pool/installations/:booking_system', {
  config: { access: 'operator' },
  operationId: 'deleteInstallation',
  summary: 'Uninstall a booking system from a pool',
  description:
    'Revokes the app pool keys of the installation, erases its account and cancels its waiting messages. Waivers are kept.',
  response: { 200: z.object({ success: z.literal(true), message: z.string() }) },
});

export const approveInstallation = route.post('/v1/admin/pools/:pool/installations/:booking_system/approve', {
  config: { access: 'operator' },
  operationId: 'approveInstallation',
  summary: 'Approve a pending installation',
  description:
    'After approval, bookings are read and Guest Updates are sent. Waivers signed earlier are sent when they next change. Returns 200 without any change if the installation is already approved.',
  response: { 200: installationSchema },
});

export const authorizeInstallation = route.post(
  '/v1/admin/pools/:pool/installations/:booking_system/authorize',
  {
    config: {
      access: 'operator',
      problems: {
        409: 'The booking system needs no authorization, or is not configured; `code` says which.',
      },
    },
    operationId: 'authorizeInstallation',
    summary: 'Start the authorization of an installation at its booking system',
    description:
      'For booking systems whose accounts are authorized in a browser. Send this request from that browser, as the console does: the response sets a cookie that is needed when the browser returns. Then open `url` in the same browser, log in and agree: the booking system redirects to this service, which reports the result. The URL works once, until `expiresAt`, and becomes invalid when another one is created for the installation.',
    response: { 200: z.object({ url: z.string(), expiresAt: dateTimeSchema }) },
  },
);

const durationMs = z.int().describe('The duration of the test, in milliseconds.');

const webhookRegistrations = webhookRegistrationSchema
  .optional()
  .describe(
    'The registration of webhooks with the vendor; absent if the service registers none for this installation.',
  );

const testSteps = z
  .array(readStepSchema)
  .describe('The steps of the test, in order: each request, its response, and how to fix a failure.');

const installationTestSchema = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    form: z
      .enum(bookingForms)
      .optional()
      .describe('The form in which the booking was read; absent if only the account was checked.'),
    booking: bookingSchema.optional(),
    warnings: z.array(bookingWarningSchema),
    durationMs,
    webhooks: webhookRegistrations,
    steps: testSteps,
  }),
  z.object({
    ok: z.literal(false),
    code: z.string(),
    message: z.string(),
    durationMs,
    webhooks: webhookRegistrations,
    steps: testSteps,
  }),
]);

export const testInstallation = route.post('/v1/admin/pools/:pool/installations/:booking_system/test', {
  config: { access: 'operator' },
  operationId: 'testInstallation',
  summary: 'Test an installation by reading a booking or checking the account',
  description:
    'Reads the booking immediately. Without `bookingId`, checks the account, which requires a booking system that supports it (`capabilities.checksAccess`).',
  body: z.strictObject({ bookingId: bookingIdSchema.optional() }),
  response: { 200: installationTestSchema },
});
