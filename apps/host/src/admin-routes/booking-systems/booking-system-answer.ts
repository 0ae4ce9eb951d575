import {
  type BookingSystemManifest,
  type BookingSystemPlugin,
  capabilitiesSchema,
  manifestSchema,
  requestLimitsSchema,
} from '@waiver-service/core';
import type { BookingSystemSettings } from '@waiver-service/store';
import { z } from 'zod';

const { installName, displayName, authHeaderName, pathShape } = manifestSchema.shape;

/** One booking system in the list. */
export const bookingSystemItemSchema = z
  .object({
    installName,
    displayName,
    authHeaderName,
    pathShape,
    capabilities: capabilitiesSchema,
    configured: z
      .boolean()
      .describe('Whether it can be called: its base address and required settings are set.'),
    authorizedInBrowser: z
      .boolean()
      .describe('Whether a person authorizes each installation in a browser, at the booking system.'),
    baseUrl: z
      .string()
      .nullable()
      .describe('As configured; null if the plugin’s default address is used, or if there is none.'),
  })
  .meta({ id: 'BookingSystem' });

const jsonSchema = z.record(z.string(), z.unknown()).describe('JSON Schema.');

/** One booking system with everything that forms and operators need. */
export const bookingSystemDetailSchema = bookingSystemItemSchema
  .extend({
    guestUpdateAuthHeaderName: manifestSchema.shape.guestUpdateAuthHeaderName,
    guestId: manifestSchema.shape.guestId,
    writeUnit: manifestSchema.shape.writeUnit,
    settingsSchema: jsonSchema,
    accountSchema: jsonSchema,
    settingsSet: z
      .array(z.string())
      .describe('The names of the configured settings. Their values are never shown.'),
    statusMap: z.record(z.string(), z.enum(['active', 'cancelled', 'other'])),
    limits: z.object({
      requestLimits: requestLimitsSchema.nullable(),
      timeoutMs: z.int().describe('The timeout of one call.'),
    }),
  })
  .meta({ id: 'BookingSystemDetail' });

/** A plugin as a list item. */
export function bookingSystemItem(
  plugin: BookingSystemPlugin,
  set: BookingSystemSettings | undefined,
): z.infer<typeof bookingSystemItemSchema> {
  const settingsFit = plugin.settingsSchema.safeParse(set?.settings ?? {}).success;
  const baseUrl = set?.baseUrl ?? null;
  return {
    installName: plugin.installName,
    displayName: plugin.displayName,
    authHeaderName: plugin.authHeaderName,
    pathShape: plugin.pathShape,
    capabilities: plugin.capabilities,
    configured: settingsFit && (baseUrl !== null || plugin.defaultBaseUrl !== undefined),
    authorizedInBrowser: plugin.session?.grant === 'authorization-code',
    baseUrl,
  };
}

/** A plugin's schema as JSON Schema, for forms. */
export function describedBy(schema: z.ZodType): Record<string, unknown> {
  return { ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) };
}

/** A plugin with everything that forms and operators need. */
export function bookingSystemDetail(
  plugin: BookingSystemPlugin,
  set: BookingSystemSettings | undefined,
  timeoutMs: number,
): z.infer<typeof bookingSystemDetailSchema> {
  const { guestUpdateAuthHeaderName, guestId, writeUnit, statusMap, capabilities }: BookingSystemManifest =
    plugin;
  return {
    ...bookingSystemItem(plugin, set),
    guestUpdateAuthHeaderName,
    guestId,
    writeUnit,
    settingsSchema: describedBy(plugin.settingsSchema),
    accountSchema: describedBy(plugin.accountSchema),
    settingsSet: Object.keys(set?.settings ?? {}).sort(),
    statusMap: { ...statusMap },
    limits: { requestLimits: capabilities.requestLimits ?? null, timeoutMs },
  };
}
