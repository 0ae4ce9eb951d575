import type {
  BookingSystemPlugin,
  InboundCall,
  InboundNotice,
  InstalledAccount,
  SignableRequest,
} from '@waiver-service/core';
import type { NativeCall } from '../native/native-scenarios.ts';

const webhookUrl = 'https://waivers.example/integration/webhook';

const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body ?? ''));

const bytesOf = (body: unknown) => new TextEncoder().encode(body === undefined ? '' : textOf(body));

function urlOf(installName: string, query: NativeCall['query'] = {}): URL {
  const url = new URL(`${webhookUrl}/${installName}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
  return url;
}

/** Headers by lower-case name. */
export const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** A vendor's call, ready to be signed. */
export const signableCall = (
  { installName }: BookingSystemPlugin,
  { headers = {}, query, body }: NativeCall,
): Omit<SignableRequest, 'now'> => ({
  method: 'POST',
  url: urlOf(installName, query),
  headers: lowerCased(headers),
  body: bytesOf(body),
});

/** A call as the host passes it to a plugin, without account and settings. */
export const inboundCall = (
  plugin: BookingSystemPlugin,
  { headers = {}, query = {}, body }: NativeCall,
): InboundCall<unknown, InstalledAccount> => ({
  method: 'POST',
  url: urlOf(plugin.installName, query),
  headers: lowerCased(headers),
  query,
  rawBody: bytesOf(body),
  body,
  now: new Date(),
  settings: {},
  account: undefined,
});

/** Parses a vendor's call with a plugin, for tests of its `parseInbound`. */
export function noticeOf(plugin: BookingSystemPlugin, call: NativeCall): InboundNotice | undefined {
  return plugin.parseInbound?.(inboundCall(plugin, call));
}
