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
      .describe('Whether it can be called: its base address and its settings are there.'),
    baseUrl: z
      .string()
      .nullable()
      .describe('As it was set; null where the plugin’s own address is used, if it has one.'),
  })
  .meta({ id: 'BookingSystem' });

const jsonSchema = z.record(z.string(), z.unknown()).describe('JSON Schema.');

/** One booking system with all that forms and operators need to know. */
export const bookingSystemDetailSchema = bookingSystemItemSchema
  .extend({
    guestUpdateAuthHeaderName: manifestSchema.shape.guestUpdateAuthHeaderName,
    guestId: manifestSchema.shape.guestId,
    writeUnit: manifestSchema.shape.writeUnit,
    settingsSchema: jsonSchema,
    accountSchema: jsonSchema,
    settingsSet: z
      .array(z.string())
      .describe('The names of the settings that are set. Their values are not shown.'),
    statusMap: z.record(z.string(), z.enum(['active', 'cancelled', 'other'])),
    limits: z.object({
      requestLimits: requestLimitsSchema.nullable(),
      timeoutMs: z.int().describe('How long one call may take.'),
    }),
  })
  .meta({ id: 'BookingSystemDetail' });

/** A plugin as the list shows it. */
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
    baseUrl,
  };
}

/** A plugin's schema as forms read it. */
export function describedBy(schema: z.ZodType): Record<string, unknown> {
  return { ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) };
}

/** A plugin with all that forms and operators need to know. */
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
