import {
  type InfiniteData,
  keepPreviousData,
  type QueryKey,
  queryOptions,
  type UseInfiniteQueryOptions,
} from '@tanstack/react-query';
import type { AnswerOf, ItemOf } from '@waiver-service/api';
import { endOfDay, startOfDay } from '../text/formats.ts';
import { type Period, sinceOf, type WithPeriod } from './choices.ts';
import { type AnyOptions, type ArgumentsOf, call, type RouteAt, send, type UrlOf } from './client.ts';
import type { AuditFilter, DeliveryFilter, OverviewWindow, WaiverFilter } from './resources.ts';

/** Milliseconds after which what is shown is read again, while the page is visible. */
const refreshMs = 10_000;

/** The same for the day board, which staff watch while guests arrive. */
export const boardRefreshMs = 3_000;

type ReadUrl = UrlOf<'GET'>;
type AnswerAt<Url extends ReadUrl> = AnswerOf<RouteAt<'GET', Url>>;
type ItemAt<Url extends ReadUrl> = ItemOf<RouteAt<'GET', Url>>;

/** The options by which the query library reads something. */
interface Reading<Data> {
  readonly queryKey: QueryKey;
  readonly queryFn: () => Promise<Data>;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

const keyOf = (url: string, { params = {}, query = {} }: AnyOptions): QueryKey => [url, params, query];

/** Reads what a route answers. The key is the route and its parameters. */
function reading<Url extends ReadUrl>(
  url: Url,
  ...options: ArgumentsOf<RouteAt<'GET', Url>>
): Reading<AnswerAt<Url>>;
function reading(url: string, options: AnyOptions = {}): Reading<unknown> {
  return { queryKey: keyOf(url, options), queryFn: () => send('GET', url, options) };
}

const limit = 100;
// The maximum of lists that are read whole, for choices and for names: more would be too many to choose from.
const maxPages = 20;

function readPage<Url extends ReadUrl>(
  url: Url,
  options: AnyOptions,
  cursor: string | undefined,
): Promise<Page<ItemAt<Url>>>;
function readPage(url: string, options: AnyOptions, cursor: string | undefined): Promise<Page<unknown>>;
async function readPage(
  url: string,
  options: AnyOptions,
  cursor: string | undefined,
): Promise<Page<unknown>> {
  const answer = await send('GET', url, { ...options, query: { limit, ...options.query, cursor } });
  const { items = [], next = null }: Partial<Page<unknown>> = Object(answer);
  return { items, next };
}

/** Reads all items of a list, up to a maximum. */
function wholeList<Url extends ReadUrl>(
  url: Url,
  ...options: ArgumentsOf<RouteAt<'GET', Url>>
): Reading<ItemAt<Url>[]>;
function wholeList(url: string, options: AnyOptions = {}): Reading<unknown[]> {
  return {
    queryKey: [...keyOf(url, options), 'whole'],
    async queryFn() {
      const items: unknown[] = [];
      let cursor: string | null | undefined;
      for (let pages = 0; pages < maxPages && cursor !== null; pages += 1) {
        const page = await readPage(url, options, cursor);
        items.push(...page.items);
        cursor = page.next;
      }
      return items;
    },
  };
}

/** Reads the items of a list that has no further pages, or of which the first page is enough. */
const itemsOf = <Item>({ queryKey, queryFn }: Reading<{ readonly items: Item[] }>): Reading<Item[]> => ({
  queryKey,
  queryFn: async () => (await queryFn()).items,
});

interface PagedState {
  readonly state: { readonly data?: { readonly pages: readonly unknown[] } };
}

// A refresh reads every page of a list again, so longer lists are left as they are.
const maxRefreshedPages = 3;

/** Refreshes a list unless it is long. */
const whileShort = ({ state }: PagedState): number | false =>
  (state.data?.pages.length ?? 0) > maxRefreshedPages ? false : refreshMs;

interface ListOptions {
  /** How far back it reaches, from when it is read. */
  readonly period?: Period | undefined;
  /** The version of what it is about: another one has another list. */
  readonly version?: number;
  readonly refetchInterval?: (query: PagedState) => number | false;
  readonly placeholderData?: typeof keepPreviousData;
  readonly retry?: false;
  readonly staleTime?: number;
}

const refreshed = { refetchInterval: whileShort };

const within = (options: AnyOptions, period: Period | undefined): AnyOptions =>
  period === undefined ? options : { ...options, query: { ...options.query, since: sinceOf(period) } };

/** The options by which the query library reads a list page by page. */
export type PagedQuery<Item> = UseInfiniteQueryOptions<
  Page<Item>,
  Error,
  InfiniteData<Page<Item>>,
  QueryKey,
  string | undefined
>;

/** Reads a list page by page. */
const pagedList = <Url extends ReadUrl>(
  url: Url,
  options: ArgumentsOf<RouteAt<'GET', Url>>[0] & AnyOptions,
  { period, version, ...list }: ListOptions = refreshed,
): PagedQuery<ItemAt<Url>> => ({
  ...list,
  queryKey: [...keyOf(url, options), 'pages', period, version],
  queryFn: ({ pageParam }) => readPage(url, within(options, period), pageParam),
  initialPageParam: undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
});

export const poolsQuery = wholeList('/v1/admin/pools');

export const accessTokensQuery = (pool: string) =>
  wholeList('/v1/admin/pools/:pool/access-tokens', { params: { pool } });

export const webhooksQuery = (pool: string) =>
  itemsOf(reading('/v1/admin/pools/:pool/webhooks', { params: { pool }, query: { limit } }));

export const bookingSystemsQuery = itemsOf(reading('/v1/admin/booking-systems'));

export const bookingSystemQuery = (name: string) =>
  reading('/v1/admin/booking-systems/:booking_system', { params: { booking_system: name } });

export const installKeysQuery = (name: string) =>
  itemsOf(
    reading('/v1/admin/booking-systems/:booking_system/install-keys', {
      params: { booking_system: name },
      query: { limit },
    }),
  );

export const installationsQuery = (pool: string) =>
  itemsOf(reading('/v1/admin/pools/:pool/installations', { params: { pool } }));

export const checkQuery = (pool: string, bookingSystem: string) =>
  reading('/v1/admin/pools/:pool/installations/:booking_system/check', {
    params: { pool, booking_system: bookingSystem },
  });

/** @param isExplained - with how it was read, for those who may see that */
export const bookingQuery = (
  pool: string,
  bookingId: string,
  bookingSystem: string | undefined,
  isExplained: boolean,
) => ({
  ...reading('/v1/pools/:pool/bookings/:booking_id', {
    params: { pool, booking_id: bookingId },
    query: { bookingSystem, ...(isExplained ? { explain: 'true' } : {}) },
  }),
  retry: false,
  staleTime: 30_000,
});

/** A day begins at midnight where the viewer is. */
export const bookingsOfDayQuery = (pool: string, day: string, bookingSystem: string | undefined) =>
  pagedList(
    '/v1/pools/:pool/bookings',
    // As many as the booking system is asked for by default.
    {
      params: { pool },
      query: { from: startOfDay(day), until: endOfDay(day), bookingSystem, limit: undefined },
    },
    { retry: false, staleTime: 60_000 },
  );

/** The waivers that changed last come first, and are kept up to date, unless they are searched. */
export const waiversQuery = (pool: string, filter: WaiverFilter) =>
  pagedList(
    '/v1/pools/:pool/waivers',
    {
      params: { pool },
      query: filter.search === undefined ? { ...filter, order: 'newest' as const } : filter,
    },
    { placeholderData: keepPreviousData, ...(filter.search === undefined ? refreshed : {}) },
  );

export const waiverQuery = (pool: string, id: string) => ({
  ...reading('/v1/pools/:pool/waivers/:id', { params: { pool, id } }),
  refetchInterval: refreshMs,
});

export const waiverVersionsQuery = (pool: string, id: string, version: number) =>
  pagedList('/v1/admin/pools/:pool/waivers/:id/versions', { params: { pool, id } }, { version });

/** @param version of the waiver: what is erased or voided is read again */
export const signingQuery = (pool: string, id: string, version: number) => {
  const { queryKey, queryFn } = reading('/v1/admin/pools/:pool/waivers/:id/signing', {
    params: { pool, id },
  });
  return queryOptions({
    queryKey: [...queryKey, version],
    queryFn,
    // Until its record is in the chain, which takes seconds.
    refetchInterval: ({ state }) => (state.data?.seal.number === null ? 2_000 : false),
  });
};

export const erasedWaiversQuery = (pool: string) =>
  pagedList('/v1/admin/pools/:pool/erased-waivers', { params: { pool } });

export const unmatchedWaiversQuery = (pool: string) =>
  pagedList('/v1/admin/pools/:pool/unmatched-waivers', { params: { pool } });

/** Of every list of links of a pool. */
export const checkInLinksKey = (pool: string): QueryKey => ['/v1/pools/:pool/check-in-links', { pool }];

export const linksOfBookingQuery = (pool: string, bookingId: string) =>
  wholeList('/v1/pools/:pool/check-in-links', { params: { pool }, query: { bookingId } });

export const deskLinksQuery = (pool: string) =>
  wholeList('/v1/pools/:pool/check-in-links', { params: { pool }, query: { desk: 'true' } });

/** The link that a booking has from the first time it is asked for. Not cached: it may be revoked meanwhile. */
export const bookingLinkQuery = (pool: string, bookingSystem: string, bookingId: string) =>
  queryOptions({
    queryKey: ['booking link', pool, bookingSystem, bookingId],
    queryFn: () =>
      call('POST', '/v1/admin/pools/:pool/bookings/:booking_id/check-in-link', {
        params: { pool, booking_id: bookingId },
        query: { bookingSystem },
      }),
    retry: false,
    gcTime: 0,
  });

/** The booking of a link that a guest shows. Not cached: the link may be revoked at any time. */
export const scannedLinkQuery = (pool: string, token: string) =>
  queryOptions({
    queryKey: ['scanned link', pool, token],
    queryFn: () =>
      call('POST', '/v1/admin/pools/:pool/check-in-links/find', { params: { pool }, body: { token } }),
    retry: false,
    gcTime: 0,
  });

export const kiosksQuery = (pool: string) => ({
  ...wholeList('/v1/admin/pools/:pool/kiosks', { params: { pool } }),
  refetchInterval: refreshMs,
});

export const lateSigningsQuery = (pool: string) =>
  pagedList('/v1/admin/pools/:pool/late-signings', { params: { pool } });

export const formsQuery = (pool: string) => wholeList('/v1/admin/pools/:pool/forms', { params: { pool } });

export const formQuery = (pool: string, form: string) => ({
  ...reading('/v1/admin/pools/:pool/forms/:form', { params: { pool, form } }),
  // Who opens the editor begins with the draft as it is now.
  gcTime: 0,
  refetchOnWindowFocus: false,
});

export const formVersionsQuery = (pool: string, form: string) =>
  wholeList('/v1/admin/pools/:pool/forms/:form/versions', { params: { pool, form } });

export const formVersionQuery = (pool: string, form: string, version: number) => ({
  ...reading('/v1/admin/pools/:pool/forms/:form/versions/:version', { params: { pool, form, version } }),
  // It never changes.
  staleTime: Number.POSITIVE_INFINITY,
});

export const invitationsQuery = (pool: string) =>
  reading('/v1/admin/pools/:pool/invitations', { params: { pool } });

/** Of every list of messages to a pool's guests. */
export const sentInvitationsKey = (pool: string): QueryKey => [
  '/v1/admin/pools/:pool/invitations/sent',
  { pool },
];

export const sentInvitationsQuery = (pool: string, bookingId: string | undefined) =>
  pagedList('/v1/admin/pools/:pool/invitations/sent', { params: { pool }, query: { bookingId } });

export const invitationRefusalsQuery = (pool: string) =>
  pagedList('/v1/admin/pools/:pool/invitations/refusals', { params: { pool } }, {});

export const deliveriesQuery = ({ period, ...query }: WithPeriod<DeliveryFilter>) =>
  pagedList('/v1/admin/deliveries', { query }, { ...refreshed, period });

export const deliveryQuery = (id: string) => ({
  ...reading('/v1/admin/deliveries/:id', { params: { id } }),
  // A final delivery can be retried by others, so it is refreshed, too.
  refetchInterval: refreshMs,
});

export const laneQuery = (id: string) => ({
  ...reading('/v1/admin/deliveries/:id/lane', { params: { id } }),
  refetchInterval: refreshMs,
});

export const recoveryQuery = (id: string) =>
  queryOptions({
    ...reading('/v1/admin/recoveries/:id', { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? 500 : false),
  });

export const destinationsQuery = { ...wholeList('/v1/admin/destinations'), refetchInterval: refreshMs };

export const alertsQuery = wholeList('/v1/admin/alerts');

const shownSentAlerts = 30;

export const sentAlertsQuery = {
  ...itemsOf(reading('/v1/admin/sent-alerts', { query: { limit: shownSentAlerts } })),
  refetchInterval: refreshMs,
};

export const overviewQuery = (pool: string | undefined, window: OverviewWindow) => ({
  ...reading('/v1/admin/overview', { query: { pool, window } }),
  refetchInterval: refreshMs,
});

export const firstStepsQuery = reading('/v1/admin/first-steps');

export const credentialsQuery = wholeList('/v1/admin/credentials');

export const sessionsQuery = wholeList('/v1/admin/sessions');

export const auditQuery = ({ period, ...query }: WithPeriod<AuditFilter>) =>
  pagedList('/v1/admin/audit', { query }, { ...refreshed, period });
