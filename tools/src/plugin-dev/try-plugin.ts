import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BookingSystemPlugin, contractChoicesSchema } from '@waiver-service/core';
import type { HostProcess } from '@waiver-service/host/process';
import {
  type ReceivedRequest,
  seededBookings,
  startBookingSystem,
  type VendorJourney,
  type VendorSystem,
} from '@waiver-service/simulator';
import { z } from 'zod';
import { anything, WaiverServiceClient } from '../demo/waiver-service.ts';
import { repository } from '../outside/outside-place.ts';

/** A simulated vendor whose calls are shown. */
interface WatchedSystem extends VendorSystem {
  readonly received: readonly ReceivedRequest[];
}

/** How a plugin is tried: its simulator, and an account and a booking there. */
type PluginTrial = Pick<
  VendorJourney<WatchedSystem>,
  'start' | 'settings' | 'account' | 'bookingId' | 'announce'
>;

export const folderOf = (name: string): string => join(repository, 'plugins', name);

const importFile = (path: string) => import(pathToFileURL(path).href);

/** A vendor's own API is tried by the plugin's journey; a system that follows the contract by the common simulator. */
export async function trialOf(name: string): Promise<PluginTrial> {
  const journey = join(folderOf(name), 'test/journey.ts');
  if (existsSync(journey)) {
    const module: { readonly default: PluginTrial } = await importFile(journey);
    return module.default;
  }
  const module: { readonly default: BookingSystemPlugin } = await importFile(
    join(folderOf(name), 'src/index.ts'),
  );
  const choices = contractChoicesSchema.safeParse(module.default.contract);
  if (!choices.success) {
    throw new Error(
      `plugins/${name} has no test/journey.ts, by which a system with its own API is started and connected`,
    );
  }
  const apiKey = 'key-of-the-account';
  const { authHeaderName, pathShape } = choices.data;
  return {
    start: () => startBookingSystem({ apiKey, authHeaderName, pathShape, form: 'current' }),
    account: { accountId: 4711, apiKey },
    bookingId: seededBookings[0]?.id ?? '',
  };
}

const pool = 'plugin-dev';

const nameSchema = z.looseObject({ displayName: z.string() });
const installedSchema = z.looseObject({ webhookUrl: z.string() });
const tokenSchema = z.looseObject({ token: z.string() });
const linkSchema = z.looseObject({ url: z.string() });
const waiverSchema = z.looseObject({ id: z.string() });
const bookingSchema = z.looseObject({
  guests: z.array(z.looseObject({ bookingGuestId: z.string().optional() })),
});

/** What a person can do with the plugin, by the name of the button. Each resolves to what came of it. */
export type Actions = Readonly<Record<string, () => Promise<unknown>>>;

/** A plugin in a running host, connected to its simulator. */
export interface TriedPlugin {
  /** As the host knows it. */
  readonly displayName: string;
  /** Signs in to the console, once. */
  readonly signInLink: string;
  readonly actions: Actions;
}

/** Configures the booking system in the host, and installs it for a pool. */
export async function tryPlugin(
  name: string,
  { url, adminToken }: HostProcess,
  { settings = {}, account, bookingId, announce }: PluginTrial,
  system: WatchedSystem,
): Promise<TriedPlugin> {
  const operator = new WaiverServiceClient(url, adminToken);
  const path = `/v1/admin/booking-systems/${name}`;
  // An earlier start had another port.
  const configuration = { baseUrl: system.url, sendCredentialsTo: system.url, settings };
  await operator.call('PUT', path, anything, configuration);
  await operator.call('PUT', `/v1/admin/pools/${pool}`, anything, { name: pool });
  const installation = `/v1/admin/pools/${pool}/installations/${name}`;
  const { webhookUrl } = (await operator.call('PUT', installation, installedSchema, account)).body;
  const { token } = (await operator.call('POST', `/v1/admin/pools/${pool}/access-tokens`, tokenSchema)).body;
  const app = new WaiverServiceClient(url, token);
  const waivers = `/v1/pools/${pool}/waivers`;
  const signed: string[] = [];

  async function read() {
    const booking = `/v1/pools/${pool}/bookings/${encodeURIComponent(bookingId)}`;
    return (await app.call('GET', booking, bookingSchema)).body;
  }
  async function sign() {
    const { guests } = await read();
    const { bookingGuestId } = guests.find((guest) => guest.bookingGuestId !== undefined) ?? {};
    const waiver = { bookingId, bookingGuestId, answers: { name: 'Zoë Bäcker' } };
    const { body } = await app.call('POST', waivers, waiverSchema, waiver);
    signed.push(body.id);
    return body;
  }
  async function voidLast() {
    const id = signed.pop();
    if (id === undefined) throw new Error('No waiver is left to void: sign one first.');
    return (await app.call('POST', `${waivers}/${encodeURIComponent(id)}/void`, anything)).body;
  }
  return {
    displayName: (await operator.call('GET', path, nameSchema)).body.displayName,
    signInLink: (await operator.call('POST', '/v1/admin/sign-in-links', linkSchema, {})).body.url,
    actions: {
      'Read the booking': read,
      'Sign a waiver': sign,
      'Void the last one': voidLast,
      'Read the deliveries': async () =>
        (await operator.call('GET', '/v1/admin/deliveries?kind=guest-update', anything)).body,
      ...(announce && {
        'Call the webhook': async () => ({ status: await announce(system, webhookUrl) }),
      }),
    },
  };
}
