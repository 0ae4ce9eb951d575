import type {
  BookingChanges,
  BookingChangesRequest,
  BookingListRequest,
  BookingSystemContext,
  BookingSystemPlugin,
  FetchedBooking,
  InstalledAccount,
  ListedBookings,
} from '@waiver-service/core';
import { goodNativePlugin, nativeOptions, simulatedNotes } from '../good-native-plugin.ts';
import { type BadPlugin, type BadPlugins, withAnswer, withParts, withRequest } from './alterations.ts';

const bad = (plugin: BookingSystemPlugin): BadPlugin => ({ plugin, options: nativeOptions });

/** Treats one of the vendor's error codes as its own failure. */
const overlooking = (word: string) =>
  bad(
    withAnswer('get', ({ data }) => (Object(data).error === word ? { status: 500 } : {}), goodNativePlugin),
  );

/** Reads as the good plugin does, and changes the result. */
const withRead = (change: (fetched: FetchedBooking, askedId: string) => Partial<FetchedBooking['booking']>) =>
  bad(
    withParts(
      {
        async fetchBooking(context, bookingId) {
          const account = goodNativePlugin.accountSchema.parse(context.account);
          const fetched = await goodNativePlugin.fetchBooking(
            { ...context, settings: {}, account },
            bookingId,
          );
          return { ...fetched, booking: { ...fetched.booking, ...change(fetched, bookingId) } };
        },
      },
      goodNativePlugin,
    ),
  );

type Context = BookingSystemContext<unknown, InstalledAccount>;

const accountOf = ({ account }: Context) => goodNativePlugin.accountSchema.parse(account);
const own = (context: Context) => ({ ...context, settings: {}, account: accountOf(context) });

async function listed(context: Context, request: BookingListRequest): Promise<ListedBookings> {
  return (await goodNativePlugin.listBookings?.(own(context), request)) ?? { bookings: [] };
}

async function changed(context: Context, request: BookingChangesRequest): Promise<BookingChanges> {
  const nothing = { bookingIds: [], cursor: '', hasMore: false };
  return (await goodNativePlugin.changesSince?.(own(context), request)) ?? nothing;
}

/** Reads by a search, of whose results it picks one. */
export function searching(
  pick: (results: readonly Readonly<Record<string, unknown>>[], bookingId: string) => unknown,
): BadPlugin {
  const { native } = nativeOptions;
  const [body] = native.bodies;
  const plugin = withParts(
    {
      fetchBooking(context, bookingId) {
        const get = async () => {
          const response = await context.http.get('found', { params: { ref: bookingId } });
          const { results } = Object(response.data);
          return { ...response, data: pick(Array.isArray(results) ? results : [], bookingId) };
        };
        return goodNativePlugin.fetchBooking({ ...own(context), http: { ...context.http, get } }, bookingId);
      },
    },
    goodNativePlugin,
  );
  const readRequest = { method: 'GET', path: '/found', query: { ref: '{bookingId}' } } as const;
  const bodies = [{ ...body, body: { results: [body.body] } }] as const;
  return { plugin, options: { ...nativeOptions, native: { ...native, readRequest, bodies } } };
}

/** Whether a cursor is none of the good plugin's. */
const isForeign = (cursor: string | undefined) => cursor !== undefined && !cursor.startsWith('{"since":"20');

export const badNativePlugins: BadPlugins = {
  'native/read-request': {
    ...bad(withRequest(({ request: { params, ...request } }) => ({ request }), goodNativePlugin)),
    also: ['native/bodies'],
  },
  'native/bodies': withRead(({ booking }) => ({ pax: booking.pax + 1 })),
  'native/not-found': overlooking('NO_SUCH'),
  'native/refusals': overlooking('BAD_KEY'),
  'native/guest-updates': bad(
    withAnswer(
      'get',
      ({ data }) => (Object(data).text === undefined ? {} : { data: { ...Object(data), text: '' } }),
      goodNativePlugin,
    ),
  ),
  // Loses what the staff wrote.
  'native/simulated': {
    ...bad(
      withParts(
        {
          async pushWaiver(context, waiver) {
            const http: Context['http'] = {
              ...context.http,
              async get(url, request) {
                const response = await context.http.get(url, request);
                return { ...response, data: { ...Object(response.data), text: '' } };
              },
              put: (url, body) => context.http.put(url, body),
            };
            const pushed = await goodNativePlugin.pushWaiver?.(own({ ...context, http }), waiver);
            return pushed ?? { accepted: true, warnings: [] };
          },
        },
        goodNativePlugin,
      ),
    ),
    options: {
      ...nativeOptions,
      native: {
        ...nativeOptions.native,
        guestUpdates: [
          {
            name: 'a line is added',
            waiver: { id: 'w1' },
            vendor: simulatedNotes('staff'),
            after: 'staff\nwaiver w1',
            expected: { warnings: [] },
          },
        ],
      },
    },
  },
  'native/missing-document': bad(
    withParts(
      {
        capabilities: { ...goodNativePlugin.capabilities, takes: ['notes', 'files'] },
        async pushWaiver(context, waiver, document) {
          if (document && (await document()) === undefined) return { accepted: true, warnings: [] };
          const pushed = await goodNativePlugin.pushWaiver?.(own(context), waiver);
          return pushed ?? { accepted: true, warnings: [] };
        },
      },
      goodNativePlugin,
    ),
  ),
  'aliases/read': withRead((_fetched, askedId) => ({ id: askedId })),
  // Writes without a look at whose note it has read.
  'aliases/write': bad(
    withAnswer(
      'get',
      ({ data }) => (Object(data).text === undefined ? {} : { data: { ...Object(data), ref: undefined } }),
      goodNativePlugin,
    ),
  ),
  'native/any-value': bad(
    withAnswer(
      'get',
      ({ data }) => {
        const { people, ...others } = Object(data);
        return people ? { data: { ...others, people: people.map((person: unknown) => person) } } : {};
      },
      goodNativePlugin,
    ),
  ),
  // Encodes what it was given, but not what it got.
  'native/id-encoding': bad(
    withParts(
      {
        async pushWaiver(context, waiver) {
          const http: Context['http'] = {
            ...context.http,
            get: (url, request) => context.http.get(url, request),
            put: (url, body) =>
              context.http.put(
                url.replace(/[^/]+$/, (part) => decodeURIComponent(part)),
                body,
              ),
          };
          const pushed = await goodNativePlugin.pushWaiver?.(own({ ...context, http }), waiver);
          return pushed ?? { accepted: true, warnings: [] };
        },
      },
      goodNativePlugin,
    ),
  ),
  'native/search': {
    ...searching(([first]) => first),
    also: ['native/not-found', 'native/refusals'],
  },
  // Loses a page.
  'lists/pages': bad(
    withParts(
      {
        async listBookings(context, request) {
          const { bookings } = await listed(context, request);
          return { bookings };
        },
      },
      goodNativePlugin,
    ),
  ),
  // An answer without a list is a list without bookings.
  'lists/errors': bad(
    withParts(
      {
        listBookings: (context, request) =>
          listed(context, request).catch((error: unknown) => {
            if (Object(error).code === 'malformed_list_cursor') throw error;
            return { bookings: [] };
          }),
      },
      goodNativePlugin,
    ),
  ),
  // Begins again.
  'lists/cursor': bad(
    withParts(
      {
        async listBookings(context, request) {
          const isOwn = request.cursor === undefined || request.cursor === '2:2';
          return isOwn ? listed(context, request) : { bookings: [] };
        },
      },
      goodNativePlugin,
    ),
  ),
  'changes/steps': bad(
    withParts(
      {
        changesSince: async (context, request) => ({ ...(await changed(context, request)), bookingIds: [] }),
      },
      goodNativePlugin,
    ),
  ),
  'changes/errors': bad(
    withParts(
      {
        changesSince: (context, request) =>
          changed(context, request).catch((error: unknown) => {
            if (Object(error).code === 'malformed_list_cursor') throw error;
            return { bookingIds: [], cursor: request.cursor ?? '', hasMore: false };
          }),
      },
      goodNativePlugin,
    ),
  ),
  'changes/cursor': bad(
    withParts(
      {
        changesSince: (context, request) =>
          changed(context, { ...request, ...(isForeign(request.cursor) ? { cursor: undefined } : {}) }),
      },
      goodNativePlugin,
    ),
  ),
  'access/accepted': bad(
    withParts(
      {
        async checkAccess(context) {
          await goodNativePlugin.checkAccess?.(own(context));
          return { warnings: [{ code: 'value_ignored', message: 'the account is odd' }] };
        },
      },
      goodNativePlugin,
    ),
  ),
  'access/errors': bad(
    withParts(
      {
        async checkAccess(context) {
          const good = goodNativePlugin.checkAccess?.(own(context));
          return (await good?.catch(() => undefined)) ?? { warnings: [] };
        },
      },
      goodNativePlugin,
    ),
  ),
};
