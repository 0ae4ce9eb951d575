import type { bookingSystemDetailSchema, bookingSystemItemSchema } from '@waiver-service/api';
import type { BookingSystemPlugin } from '@waiver-service/core';
import type { BookingSystemSettings } from '@waiver-service/store';
import { z } from 'zod';

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
