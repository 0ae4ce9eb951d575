import {
  capabilitiesSchema,
  contractChoicesSchema,
  manifestSchema,
  pluginTierSchema,
  requestLimitsSchema,
} from '@waiver-service/core';
import { z } from 'zod';
import { addressSchema, noContentSchema } from './fields.ts';
import { keyItemSchema } from './keys.ts';
import { pageQuerySchema, pageSchema } from './pages.ts';
import { bookingSystemIdPathSchema, bookingSystemPathSchema } from './paths.ts';
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
  params: bookingSystemPathSchema,
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
  params: bookingSystemPathSchema,
  body: bookingSystemSettingsSchema,
  response: { 200: bookingSystemDetailSchema },
});

export const createInstallKey = route.post('/v1/admin/booking-systems/:booking_system/install-keys', {
  config: { access: 'owner' },
  operationId: 'createInstallKey',
  summary: 'Create an install key, which is shown only once',
  params: bookingSystemPathSchema,
  response: { 201: z.object({ id: z.string(), key: z.string() }) },
});

export const listInstallKeys = route.get('/v1/admin/booking-systems/:booking_system/install-keys', {
  config: { access: 'owner' },
  operationId: 'listInstallKeys',
  summary: 'List the install keys of a booking system',
  params: bookingSystemPathSchema,
  querystring: pageQuerySchema,
  response: { 200: pageSchema(keyItemSchema) },
});

export const deleteInstallKey = route.delete('/v1/admin/booking-systems/:booking_system/install-keys/:id', {
  config: { access: 'owner' },
  operationId: 'deleteInstallKey',
  summary: 'Revoke an install key',
  params: bookingSystemIdPathSchema,
  response: { 204: noContentSchema },
});
