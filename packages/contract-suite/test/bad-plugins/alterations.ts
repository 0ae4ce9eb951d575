import type {
  BookingSystemContext,
  BookingSystemHttp,
  BookingSystemPlugin,
  BookingSystemRequest,
  BookingSystemResponse,
  FetchedBooking,
  InstalledAccount,
  PushedWaiver,
  Waiver,
} from '@waiver-service/core';
import type { ContractSuiteOptions } from '../../src/index.ts';
import { goodPlugin } from '../good-plugins.ts';

/** A plugin with one fault. */
export interface BadPlugin {
  readonly plugin: BookingSystemPlugin;
  readonly options?: ContractSuiteOptions;
  /** Other clauses of the same theme that the fault violates. */
  readonly also?: readonly string[];
}

/** Bad plugins by the id of the clause that each violates. */
export type BadPlugins = Readonly<Record<string, BadPlugin>>;

type Context = BookingSystemContext<unknown, InstalledAccount>;

/** A request that a plugin is about to make. */
export interface PluginRequest {
  readonly method: 'get' | 'post';
  readonly url: string;
  readonly body?: unknown;
  readonly request: BookingSystemRequest;
  readonly context: Context;
}

/** Replaces parts of the manifest or whole functions. */
export const withParts = (
  parts: Partial<BookingSystemPlugin>,
  plugin: BookingSystemPlugin = goodPlugin,
): BookingSystemPlugin => ({ ...plugin, ...parts });

/** Wraps the plugin's HTTP client. */
function withHttp(
  change: (context: Context) => BookingSystemHttp,
  plugin: BookingSystemPlugin = goodPlugin,
): BookingSystemPlugin {
  const changed = (context: Context) => ({ ...context, http: change(context) });
  const { pushWaiver } = plugin;
  return {
    ...plugin,
    fetchBooking: (context, bookingId) => plugin.fetchBooking(changed(context), bookingId),
    ...(pushWaiver && { pushWaiver: (context, waiver) => pushWaiver(changed(context), waiver) }),
  };
}

/** Changes each request before it is made. */
export const withRequest = (
  change: (original: PluginRequest) => Partial<PluginRequest>,
  plugin?: BookingSystemPlugin,
) =>
  withHttp((context) => {
    const ask = (given: PluginRequest) => {
      const { method, url, body, request } = { ...given, ...change(given) };
      return method === 'get' ? context.http.get(url, request) : context.http.post(url, body, request);
    };
    return {
      ...context.http,
      put: (url, body, request) => context.http.put(url, body, request),
      get: (url, request = {}) => ask({ method: 'get', url, request, context }),
      post: (url, body, request = {}) => ask({ method: 'post', url, body, request, context }),
    };
  }, plugin);

type AnswerChange = (answer: BookingSystemResponse) => Partial<BookingSystemResponse>;

/** Changes each response to one method before the plugin sees it. */
export const withAnswer = (method: 'get' | 'post', change: AnswerChange, plugin?: BookingSystemPlugin) =>
  withHttp(({ http }) => {
    const changed = async (coming: Promise<BookingSystemResponse>) => {
      const answer = await coming;
      return { ...answer, ...change(answer) };
    };
    return {
      ...http,
      put: (url, body, request) => http.put(url, body, request),
      get: (url, request) => (method === 'get' ? changed(http.get(url, request)) : http.get(url, request)),
      post: (url, body, request) =>
        method === 'post' ? changed(http.post(url, body, request)) : http.post(url, body, request),
    };
  }, plugin);

/** Changes the JSON object in the response to a read. */
export const withBody = (change: (body: Record<string, unknown>) => object | undefined) =>
  withAnswer('get', ({ status, data }) => {
    if (status !== 200 || typeof data !== 'object' || data === null || Array.isArray(data)) return {};
    return { data: { ...data, ...change({ ...data }) } };
  });

/** Changes the result of a read. */
export const withFetched = (change: (fetched: FetchedBooking) => Partial<FetchedBooking>) =>
  withParts({
    async fetchBooking(context, bookingId) {
      const fetched = await goodPlugin.fetchBooking(context, bookingId);
      return { ...fetched, ...change(fetched) };
    },
  });

/** Changes the booking in the result of a read. */
export const withBooking = (
  change: (booking: FetchedBooking['booking'], form: string) => Partial<FetchedBooking['booking']>,
) => withFetched(({ booking, form }) => ({ booking: { ...booking, ...change(booking, form) } }));

/** Drops the warnings with a code, for some paths. */
export const withoutWarning = (lost: string, path = /(?:)/) =>
  withFetched(({ warnings }) => ({
    warnings: warnings.filter(({ code, path: where = '' }) => code !== lost || !path.test(where)),
  }));

type ErrorChange = (error: Record<string, unknown> & Error, context: Context) => Error | undefined;

async function changingErrors<T>(call: Promise<T>, change: ErrorChange, context: Context) {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw change(Object.assign(error), context) ?? error;
  }
}

/** Replaces some errors of a read. */
export const withReadError = (change: ErrorChange) =>
  withParts({
    fetchBooking: (context, bookingId): Promise<FetchedBooking> =>
      changingErrors(goodPlugin.fetchBooking(context, bookingId), change, context),
  });

/** Changes how a waiver is written. */
export const withPush = (
  push: (context: Context, waiver: Waiver, good: () => Promise<PushedWaiver>) => Promise<PushedWaiver>,
) =>
  withParts({
    pushWaiver: (context, waiver) => push(context, waiver, () => goodPush(context, waiver)),
  });

/** Replaces some errors of a write. */
export const withPushError = (change: ErrorChange) =>
  withPush((context, _waiver, good) => changingErrors(good(), change, context));

/** Writes a waiver as the good plugin does. */
export function goodPush(context: Context, waiver: Waiver): Promise<PushedWaiver> {
  if (!goodPlugin.pushWaiver) throw new Error('the good plugin writes waivers');
  return goodPlugin.pushWaiver(context, waiver);
}

export const keyOf = ({ account }: Context) => account.apiKey;
