import {
  type BookingSystemPlugin,
  capabilitiesSchema,
  contractChoicesSchema,
  manifestSchema,
  requestLimitsSchema,
} from '@waiver-service/core';
import type { BookingSystemSettings } from '@waiver-service/store';
import { z } from 'zod';

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

export function bookingSystemItem(
  plugin: BookingSystemPlugin,
  set: BookingSystemSettings | undefined,
): z.infer<typeof bookingSystemItemSchema> {
  const settingsFit = plugin.settingsSchema.safeParse(set?.settings ?? {}).success;
  const baseUrl = set?.baseUrl ?? null;
  return {
    installName: plugin.installName,
    displayName: plugin.displayName,
    authHeaderName: plugin.contract?.authHeaderName ?? null,
    pathShape: plugin.contract?.pathShape ?? null,
    capabilities: plugin.capabilities,
    configured: settingsFit && (baseUrl !== null || plugin.defaultBaseUrl !== undefined),
    authorizedInBrowser: plugin.session?.grant === 'authorization-code',
    baseUrl,
  };
}

export function describedBy(schema: z.ZodType): Record<string, unknown> {
  return { ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) };
}

export function bookingSystemDetail(
  plugin: BookingSystemPlugin,
  set: BookingSystemSettings | undefined,
  timeoutMs: number,
): z.infer<typeof bookingSystemDetailSchema> {
  const { contract, writeUnit, statusMap, capabilities } = plugin;
  return {
    ...bookingSystemItem(plugin, set),
    guestUpdateAuthHeaderName: contract?.guestUpdateAuthHeaderName ?? null,
    guestId: contract?.guestId ?? null,
    writeUnit,
    settingsSchema: describedBy(plugin.settingsSchema),
    accountSchema: describedBy(plugin.accountSchema),
    settingsSet: Object.keys(set?.settings ?? {}).sort(),
    statusMap: { ...statusMap },
    limits: { requestLimits: capabilities.requestLimits ?? null, timeoutMs },
  };
}
