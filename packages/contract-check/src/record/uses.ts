import {
  type BookingSystemContext,
  type BookingSystemPlugin,
  type InstalledAccount,
  InvalidBookingResponse,
  isBookingSystemError,
  waiverSchema,
} from '@waiver-service/core';
import { defineBookingSystem, type NoSettings } from '@waiver-service/plugin-kit';
import { z } from 'zod';

const uses = [
  z.object({ kind: z.literal('list'), from: z.string(), until: z.string(), limit: z.int() }),
  z.object({ kind: z.literal('changes'), since: z.string(), now: z.string() }),
  z.object({ kind: z.literal('write'), waiver: waiverSchema }),
  z.object({ kind: z.literal('webhooks'), url: z.string() }),
  z.object({ kind: z.literal('call'), body: z.unknown() }),
] as const;

/**
 * A use of a plugin besides reading a booking: a page of its list, the changes between two times, a waiver, the
 * registration of a webhook and its removal, a call of the vendor.
 */
export const pluginUseSchema = z.discriminatedUnion('kind', uses);

/** See {@link pluginUseSchema}. */
export type PluginUse = z.infer<typeof pluginUseSchema>;

type Plugin = BookingSystemPlugin<unknown, InstalledAccount>;
type Context = BookingSystemContext<unknown, InstalledAccount>;

/** Whether a plugin has the function for a use. */
export function isUsable(plugin: Plugin, { kind }: PluginUse): boolean {
  const functions = {
    list: plugin.listBookings,
    changes: plugin.changesSince,
    write: plugin.pushWaiver,
    webhooks: plugin.webhooks,
    call: plugin.parseInbound,
  };
  return functions[kind] !== undefined;
}

function callOf({ settings, account }: Context, body: unknown) {
  const rawBody = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const url = new URL('https://waivers.example/integration/webhook');
  const known = { settings, account, now: new Date() };
  return { method: 'POST', url, headers: {}, query: {}, rawBody, body, ...known };
}

async function resultOf(plugin: Plugin, context: Context, use: PluginUse): Promise<unknown> {
  switch (use.kind) {
    case 'list': {
      const page = await plugin.listBookings?.(context, use);
      return page?.bookings.map(({ bookingId, fetched, problem }) => ({
        bookingId,
        ...(fetched && { booking: fetched.booking }),
        ...(problem && { problem: problem.issues.map(({ path }) => path) }),
      }));
    }
    case 'changes': {
      const start = await plugin.changesSince?.(context, { cursor: undefined, now: new Date(use.since) });
      const changes = await plugin.changesSince?.(context, {
        cursor: start?.cursor,
        now: new Date(use.now),
      });
      return changes?.bookingIds;
    }
    case 'write': {
      const pushed = await plugin.pushWaiver?.(context, use.waiver);
      return pushed && { accepted: pushed.accepted, warnings: pushed.warnings.map(({ code }) => code) };
    }
    case 'webhooks':
      await plugin.webhooks?.register(context, { url: use.url, formerUrls: [] });
      await plugin.webhooks?.unregister(context, { urls: [use.url] });
      return 'registered and removed';
    case 'call':
      return plugin.parseInbound?.(callOf(context, use.body)).bookingIds;
  }
}

/** Makes a use of a plugin. Returns what came of it, or the code of its error. */
export async function usePlugin(plugin: Plugin, context: Context, use: PluginUse): Promise<unknown> {
  try {
    return await resultOf(plugin, context, use);
  } catch (error) {
    if (isBookingSystemError(error)) return { error: error.code };
    throw error;
  }
}

/**
 * Stands for a plugin that is still to be written: requests what is at some paths, and reads nothing of it.
 * @param header - the header of the account's API key
 */
export function unwrittenPlugin(
  paths: readonly string[],
  header: string,
): BookingSystemPlugin<NoSettings, InstalledAccount> {
  return defineBookingSystem({
    installName: 'unwritten',
    displayName: 'the vendor',
    capabilities: { takes: [], void: false },
    headers: ({ account }) => ({ [header]: account.apiKey }),
    async fetchBooking({ http }) {
      for (const address of paths) {
        const [path = '', query] = address.split('?');
        await http.get(path, { params: Object.fromEntries(new URLSearchParams(query)) });
      }
      throw new InvalidBookingResponse('no plugin reads it yet');
    },
  });
}
