import {
  capabilitiesSchema,
  contractChoicesSchema,
  installRequestSchema,
  installResponseSchema,
  manifestSchema,
  pluginTierSchema,
  requestLimitsSchema,
  uninstallResponseSchema,
} from '@waiver-service/core';
import { z } from 'zod';
import { addressSchema, keyItemSchema, noContentSchema, pagesOf } from './fields.ts';
import { route } from './route.ts';

const { installName, displayName } = manifestSchema.shape;

const contractOnly = <T extends z.ZodType>(schema: T) =>
  schema
    .nullable()
    .describe(`${schema.description} Null if the booking system does not follow the contract.`);

const { authHeaderName, guestUpdateAuthHeaderName, pathShape, guestId } = contractChoicesSchema.shape;

export const bookingSystemItemSchema = z
  .object({
    installName,
    displayName,
    authHeaderName: contractOnly(authHeaderName),
    pathShape: contractOnly(pathShape),
    capabilities: capabilitiesSchema,
    tier: pluginTierSchema.describe(
      'What the plugin was made from: the vendor’s `documents`, responses `recorded` from a real account, or use with one since a day.',
    ),
    configured: z
      .boolean()
      .describe('Whether the booking system can be called: its base address and required settings are set.'),
    authorizedInBrowser: z
      .boolean()
      .describe(
        'Whether a person must authorize each installation in a browser, on the booking system’s site.',
      ),
    baseUrl: z
      .string()
      .nullable()
      .describe('The configured base address; null if the plugin’s default is used, or if there is none.'),
  })
  .meta({ id: 'BookingSystem' });

const jsonSchema = z.record(z.string(), z.unknown()).describe('The JSON Schema that the values must match.');

export const bookingSystemDetailSchema = bookingSystemItemSchema
  .extend({
    guestUpdateAuthHeaderName: contractOnly(guestUpdateAuthHeaderName),
    guestId: contractOnly(guestId),
    writeUnit: manifestSchema.shape.writeUnit,
    settingsSchema: jsonSchema,
    accountSchema: jsonSchema,
    accountIdField: z
      .string()
      .nullable()
      .describe('The field of `accountSchema` that is the account’s id; null if that is `accountId`.'),
    settingsSet: z
      .array(z.string())
      .describe('The names of the configured settings. Their values are never shown.'),
    statusMap: z.record(z.string(), z.enum(['active', 'cancelled', 'other'])),
    limits: z.object({
      requestLimits: requestLimitsSchema.nullable(),
      timeoutMs: z.int().describe('The timeout of one call to the booking system, in milliseconds.'),
    }),
  })
  .meta({ id: 'BookingSystemDetail' });

/** The field in which an owner consents to sending stored credentials to another server. */
export const sendCredentialsToSchema = z
  .string()
  .max(2048)
  .optional()
  .describe(
    'Consent to send the stored credentials to a new base address: its origin, such as `https://booking.example.com`. Required if the origin changes.',
  );

const bookingSystemSettingsSchema = z.strictObject({
  baseUrl: addressSchema
    .optional()
    .describe('The base address of the booking system’s API (`{booking_api}` in the contract).'),
  sendCredentialsTo: sendCredentialsToSchema,
  settings: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The plugin’s settings by name. Omitted settings stay unchanged; null removes a setting.'),
});

export const listBookingSystems = route.get('/v1/admin/booking-systems', {
  config: { access: 'viewer', poolCheck: 'none' },
  operationId: 'listBookingSystems',
  summary: 'List the available booking systems',
  response: { 200: z.object({ items: z.array(bookingSystemItemSchema) }) },
});

export const readBookingSystem = route.get('/v1/admin/booking-systems/:booking_system', {
  config: { access: 'viewer', poolCheck: 'none' },
  operationId: 'readBookingSystem',
  summary: 'Read one booking system, with the schemas of its settings and accounts',
  response: { 200: bookingSystemDetailSchema },
});

export const configureBookingSystem = route.put('/v1/admin/booking-systems/:booking_system', {
  config: {
    access: 'owner',
    problems: {
      409: 'Stored credentials would be sent to another server, and `sendCredentialsTo` does not allow it.',
    },
  },
  operationId: 'configureBookingSystem',
  summary: 'Configure a booking system',
  description: 'Omitted fields stay unchanged. The values of settings are never returned.',
  body: bookingSystemSettingsSchema,
  response: { 200: bookingSystemDetailSchema },
});

export const createInstallKey = route.post('/v1/admin/booking-systems/:booking_system/install-keys', {
  config: { access: 'owner' },
  operationId: 'createInstallKey',
  summary: 'Create an install key, which is shown only once',
  response: { 201: z.object({ id: z.string(), key: z.string() }) },
});

export const listInstallKeys = route.get('/v1/admin/booking-systems/:booking_system/install-keys', {
  config: { access: 'owner' },
  operationId: 'listInstallKeys',
  summary: 'List the install keys of a booking system',
  ...pagesOf(keyItemSchema),
});

export const deleteInstallKey = route.delete('/v1/admin/booking-systems/:booking_system/install-keys/:id', {
  config: { access: 'owner' },
  operationId: 'deleteInstallKey',
  summary: 'Revoke an install key',
  response: { 204: noContentSchema },
});

export const authorizationQuerySchema = z.looseObject({
  state: z.string().max(512).optional().describe('The `state` from the URL of the authorization page.'),
  code: z.string().max(4096).optional().describe('Authorization code that the booking system issued.'),
  error: z.string().max(512).optional().describe('Why the booking system issued no code.'),
  error_description: z.string().max(4096).optional(),
});

export const endAuthorization = route.get('/integration/authorize/:booking_system', {
  // A HEAD request would end the visit.
  exposeHeadRoute: false,
  config: {
    access: 'public',
    problems: {
      400: 'The link is no longer valid, or the authorization was refused.',
      429: 'Too many visits with a wrong link from this address.',
      502: 'The booking system issued a code, but no token for it.',
      503: 'The booking system authorized the service, but that could not be stored.',
    },
  },
  operationId: 'endAuthorization',
  tags: ['Booking systems'],
  summary: 'Return from a booking system’s authorization page',
  description:
    'For browsers: returns a page of text. The `state` is valid once, for 15 minutes, for one installation, and in the browser that began the authorization.',
  querystring: authorizationQuerySchema,
  response: { 200: z.string() },
});

export const inboundJsonType = 'application/json';

export const inboundXmlTypes = ['application/xml', 'text/xml'];

export const inboundFormType = 'application/x-www-form-urlencoded';

/** The media types of inbound calls. */
const inboundTypes = [inboundJsonType, ...inboundXmlTypes, inboundFormType];

// Vendors send whole bookings, some with a hundred guests, and often disable their calls after one is rejected.
const maxInboundBodyBytes = 1024 * 1024;

export const inboundCall = route.post('/integration/webhook/:booking_system', {
  config: {
    access: 'booking-system',
    problems: {
      429: 'Too many calls with a wrong key from this address, or too many bookings waiting to be read (`too_many_bookings`). See Retry-After.',
    },
  },
  bodyLimit: maxInboundBodyBytes,
  operationId: 'inboundCall',
  tags: ['Booking systems'],
  summary: 'Announce a new or changed booking',
  description:
    'The caller sends the app pool key that install returned, in the header `api-key` or as `key` in the body or the query. The booking is then read again in the background. A plugin may instead accept its vendor’s own body as JSON, XML or a form, verify the vendor’s signature (the key then cannot be in the body), serve all accounts at one address (without a key), and respond as the vendor expects. `bookings` is empty if the call names no booking or the installation is pending.',
  consumes: inboundTypes,
  querystring: z.looseObject({ key: z.string().max(512).optional().describe('The app pool key.') }),
  body: z.unknown().meta({ description: 'The contract’s `{id, pool}`, or the vendor’s own body.' }),
  response: {
    200: z.object({
      success: z.literal(true),
      bookings: z.array(
        z.object({
          id: z.string(),
          web: z
            .object({ preArrival: z.url() })
            .optional()
            .describe(
              'The link with which the booking’s guests sign. Present if the pool has a published form.',
            ),
        }),
      ),
    }),
    '2xx': z.unknown().describe('The response that the booking system expects, if its plugin gives one.'),
  },
});

/** The maximum size in bytes of the body of install and uninstall calls. */
export const maxIntegrationBodyBytes = 64 * 1024;

export const install = route.post('/integration/install/:booking_system', {
  config: { access: 'booking-system' },
  bodyLimit: maxIntegrationBodyBytes,
  operationId: 'install',
  tags: ['Booking systems'],
  summary: 'Install the integration for a pool',
  description:
    'Stores the account and issues a new app pool key, which is not shown again (contract 4.4). Installing again with the same accountId replaces the key; the previous key stays valid for a while. If the pool already has another booking system, an operator may have to approve this one: the response is the same, but nothing is read or sent until then.',
  body: installRequestSchema,
  response: { 200: installResponseSchema },
});

export const uninstall = route.post('/integration/uninstall/:booking_system', {
  config: { access: 'booking-system' },
  bodyLimit: maxIntegrationBodyBytes,
  operationId: 'uninstall',
  tags: ['Booking systems'],
  summary: 'Remove the integration from a pool',
  description:
    'Revokes the app pool keys and erases the account; the waivers stay (contract 4.5). Also returns 200 if the integration is not installed.',
  body: installRequestSchema,
  response: { 200: uninstallResponseSchema },
});
