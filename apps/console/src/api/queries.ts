import { infiniteQueryOptions, keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query';
import { endOfDay, startOfDay } from '../components/days.ts';
import { pollEveryMs, refreshEveryMs } from '../live/live-state.ts';
import { api } from './client.ts';
import { ApiProblem } from './problem.ts';
import type { AuditFilter, DeliveryFilter, HealthWindow, OverviewWindow, WaiverFilter } from './resources.ts';

/** The data of a call, which is there if it resolves: refused calls reject. */
export async function dataOf<Data>(call: Promise<{ data?: Data }>): Promise<Data> {
  const { data } = await call;
  if (data === undefined) throw new ApiProblem({ status: 0, code: 'no_data', message: '' });
  return data;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

interface PageParams {
  readonly limit: number;
  readonly cursor: string | undefined;
}

const limit = 100;
// The maximum of lists that are read whole, for choices and for names: more would be too many to choose from.
const maxPages = 20;

interface PagedState {
  readonly state: { readonly data?: { readonly pages: readonly unknown[] } };
}

/** Refreshes a list only until its second page is read, so that it does not move under a reader who scrolls. */
const whileOnFirstPage =
  (everyMs: () => number) =>
  ({ state }: PagedState): number | false =>
    (state.data?.pages.length ?? 0) > 1 ? false : everyMs();

interface ListOptions {
  readonly refetchInterval?: (query: PagedState) => number | false;
  readonly placeholderData?: typeof keepPreviousData;
  readonly retry?: false;
  readonly staleTime?: number;
}

const wholeList = <Item>(
  queryKey: string[],
  readPage: (page: PageParams) => Promise<Page<Item>>,
  refetchInterval: false | (() => number | false) = false,
) =>
  queryOptions({
    queryKey,
    refetchInterval,
    async queryFn() {
      const all: Item[] = [];
      let cursor: string | undefined;
      for (let count = 0; count < maxPages; count += 1) {
        const { items, next } = await readPage({ limit, cursor });
        all.push(...items);
        if (next === null) break;
        cursor = next;
      }
      return all;
    },
  });

const pagedList = <Key extends QueryKey, Read extends Page<unknown>>(
  queryKey: Key,
  readPage: (page: PageParams) => Promise<Read>,
  options: ListOptions = {},
) =>
  infiniteQueryOptions({
    ...options,
    queryKey,
    queryFn: ({ pageParam }) => readPage({ limit, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });

export const poolsQuery = wholeList(['pools'], (query) =>
  dataOf(api.GET('/v1/admin/pools', { params: { query } })),
);

export const destinationsQuery = wholeList(
  ['destinations'],
  (query) => dataOf(api.GET('/v1/admin/destinations', { params: { query } })),
  refreshEveryMs,
);

export const deliveriesQuery = (filter: DeliveryFilter) =>
  pagedList(
    ['deliveries', filter],
    (page) => dataOf(api.GET('/v1/admin/deliveries', { params: { query: { ...filter, ...page } } })),
    { refetchInterval: whileOnFirstPage(refreshEveryMs) },
  );

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['delivery', id],
    queryFn: () => dataOf(api.GET('/v1/admin/deliveries/{id}', { params: { path: { id } } })),
    // A final delivery can be retried by others, so it is refreshed, too.
    refetchInterval: refreshEveryMs,
  });

export const laneQuery = (id: string) =>
  queryOptions({
    queryKey: ['lane', id],
    queryFn: () => dataOf(api.GET('/v1/admin/deliveries/{id}/lane', { params: { path: { id } } })),
    refetchInterval: refreshEveryMs,
  });

export const recoveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['recovery', id],
    queryFn: () => dataOf(api.GET('/v1/admin/recoveries/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? 500 : false),
  });

/** The waivers that changed last come first, unless they are searched. */
export const waiversQuery = (pool: string, filter: WaiverFilter) =>
  pagedList(
    ['waivers', pool, filter],
    (page) => {
      const order = filter.search === undefined ? ({ order: 'newest' } as const) : {};
      const params = { path: { pool }, query: { ...filter, ...order, ...page } };
      return dataOf(api.GET('/v1/pools/{pool}/waivers', { params }));
    },
    { placeholderData: keepPreviousData },
  );

export const erasedWaiversQuery = (pool: string) =>
  pagedList(
    ['erased waivers', pool],
    (query) =>
      dataOf(api.GET('/v1/admin/pools/{pool}/erased-waivers', { params: { path: { pool }, query } })),
    { refetchInterval: whileOnFirstPage(pollEveryMs) },
  );

export const waiverVersionsQuery = (pool: string, id: string, version: number) =>
  // Another version of the record has another list.
  pagedList(['waiver versions', pool, id, version], (query) =>
    dataOf(
      api.GET('/v1/admin/pools/{pool}/waivers/{id}/versions', { params: { path: { pool, id }, query } }),
    ),
  );

export const waiverQuery = (pool: string, id: string) =>
  queryOptions({
    queryKey: ['waiver', pool, id],
    queryFn: () => dataOf(api.GET('/v1/pools/{pool}/waivers/{id}', { params: { path: { pool, id } } })),
    refetchInterval: refreshEveryMs,
  });

/** @param isExplained - with how it was read, for those who may see that */
export const bookingQuery = (
  pool: string,
  bookingId: string,
  bookingSystem: string | undefined,
  isExplained: boolean,
) =>
  queryOptions({
    queryKey: ['booking', pool, bookingId, bookingSystem, isExplained],
    queryFn: () =>
      dataOf(
        api.GET('/v1/pools/{pool}/bookings/{booking_id}', {
          params: {
            path: { pool, booking_id: bookingId },
            query: { bookingSystem, ...(isExplained ? { explain: 'true' } : {}) },
          },
        }),
      ),
    retry: false,
    staleTime: 30_000,
  });

export const installationsQuery = (pool: string) =>
  queryOptions({
    queryKey: ['installations', pool],
    queryFn: async () =>
      (await dataOf(api.GET('/v1/admin/pools/{pool}/installations', { params: { path: { pool } } }))).items,
  });

export const unmatchedWaiversQuery = (pool: string) =>
  pagedList(
    ['unmatched waivers', pool],
    (query) =>
      dataOf(api.GET('/v1/admin/pools/{pool}/unmatched-waivers', { params: { path: { pool }, query } })),
    { refetchInterval: whileOnFirstPage(pollEveryMs) },
  );

export const kiosksQuery = (pool: string) =>
  wholeList(
    ['kiosks', pool],
    (query) => dataOf(api.GET('/v1/admin/pools/{pool}/kiosks', { params: { path: { pool }, query } })),
    refreshEveryMs,
  );

export const lateSigningsQuery = (pool: string) =>
  pagedList(
    ['late signings', pool],
    (query) => dataOf(api.GET('/v1/admin/pools/{pool}/late-signings', { params: { path: { pool }, query } })),
    { refetchInterval: whileOnFirstPage(refreshEveryMs) },
  );

export const checkQuery = (pool: string, bookingSystem: string) =>
  queryOptions({
    queryKey: ['check', pool, bookingSystem],
    queryFn: () =>
      dataOf(
        api.GET('/v1/admin/pools/{pool}/installations/{booking_system}/check', {
          params: { path: { pool, booking_system: bookingSystem } },
        }),
      ),
  });

export const webhooksQuery = (pool: string) =>
  queryOptions({
    queryKey: ['webhooks', pool],
    queryFn: async () => {
      const params = { path: { pool }, query: { limit } };
      return (await dataOf(api.GET('/v1/admin/pools/{pool}/webhooks', { params }))).items;
    },
  });

export const accessTokensQuery = (pool: string) =>
  wholeList(['access-tokens', pool], (query) =>
    dataOf(api.GET('/v1/admin/pools/{pool}/access-tokens', { params: { path: { pool }, query } })),
  );

/** Of every list of links of a pool. */
export const checkInLinksKey = (pool: string) => ['check-in links', pool];

export const linksOfBookingQuery = (pool: string, bookingId: string) =>
  wholeList([...checkInLinksKey(pool), 'of booking', bookingId], (page) =>
    dataOf(
      api.GET('/v1/pools/{pool}/check-in-links', {
        params: { path: { pool }, query: { ...page, bookingId } },
      }),
    ),
  );

export const deskLinksQuery = (pool: string) =>
  wholeList([...checkInLinksKey(pool), 'of desk'], (page) =>
    dataOf(
      api.GET('/v1/pools/{pool}/check-in-links', {
        params: { path: { pool }, query: { ...page, desk: 'true' } },
      }),
    ),
  );

/** Of every list of messages to a pool's guests. */
export const sentInvitationsKey = (pool: string) => ['sent invitations', pool];

export const sentInvitationsQuery = (pool: string, bookingId: string | undefined) =>
  pagedList(
    [...sentInvitationsKey(pool), bookingId],
    (page) =>
      dataOf(
        api.GET('/v1/admin/pools/{pool}/invitations/sent', {
          params: { path: { pool }, query: { ...page, bookingId } },
        }),
      ),
    { refetchInterval: whileOnFirstPage(refreshEveryMs) },
  );

export const invitationRefusalsQuery = (pool: string) =>
  pagedList(['invitation refusals', pool], (query) =>
    dataOf(api.GET('/v1/admin/pools/{pool}/invitations/refusals', { params: { path: { pool }, query } })),
  );

export const invitationsQuery = (pool: string) =>
  queryOptions({
    queryKey: ['invitations', pool],
    queryFn: () => dataOf(api.GET('/v1/admin/pools/{pool}/invitations', { params: { path: { pool } } })),
  });

/** The link that a booking has from the first time it is asked for. Not cached: it may be revoked meanwhile. */
export const bookingLinkQuery = (pool: string, bookingSystem: string, bookingId: string) =>
  queryOptions({
    queryKey: ['booking link', pool, bookingSystem, bookingId],
    queryFn: () =>
      dataOf(
        api.POST('/v1/admin/pools/{pool}/bookings/{booking_id}/check-in-link', {
          params: { path: { pool, booking_id: bookingId }, query: { bookingSystem } },
        }),
      ),
    retry: false,
    gcTime: 0,
  });

/** @param version of the waiver: what is erased or voided is read again */
export const signingQuery = (pool: string, id: string, version: number) =>
  queryOptions({
    queryKey: ['signing', pool, id, version],
    queryFn: () =>
      dataOf(api.GET('/v1/admin/pools/{pool}/waivers/{id}/signing', { params: { path: { pool, id } } })),
    // Until its record is in the chain, which takes seconds.
    refetchInterval: ({ state }) => (state.data?.seal.number === null ? 2_000 : false),
  });

export const bookingSystemsQuery = queryOptions({
  queryKey: ['booking-systems'],
  queryFn: async () => (await dataOf(api.GET('/v1/admin/booking-systems'))).items,
});

export const bookingSystemQuery = (name: string) =>
  queryOptions({
    queryKey: ['booking-system', name],
    queryFn: () =>
      dataOf(
        api.GET('/v1/admin/booking-systems/{booking_system}', { params: { path: { booking_system: name } } }),
      ),
  });

export const destinationHealthQuery = (pool: string | undefined, window: HealthWindow) =>
  queryOptions({
    queryKey: ['destination-health', pool, window],
    queryFn: () =>
      dataOf(api.GET('/v1/admin/destinations/health', { params: { query: { pool, window, limit } } })),
    // The hosts count every few seconds, and a bucket lasts an hour.
    staleTime: 15_000,
    refetchInterval: 60_000,
  });

export const firstStepsQuery = queryOptions({
  queryKey: ['first-steps'],
  queryFn: () => dataOf(api.GET('/v1/admin/first-steps')),
});

export const overviewQuery = (pool: string | undefined, window: OverviewWindow) =>
  queryOptions({
    queryKey: ['overview', pool, window],
    queryFn: () => dataOf(api.GET('/v1/admin/overview', { params: { query: { pool, window } } })),
    refetchInterval: refreshEveryMs,
  });

export const formsQuery = (pool: string) =>
  wholeList(['forms', pool], (query) =>
    dataOf(api.GET('/v1/admin/pools/{pool}/forms', { params: { path: { pool }, query } })),
  );

export const formQuery = (pool: string, form: string) =>
  queryOptions({
    queryKey: ['form', pool, form],
    queryFn: () =>
      dataOf(api.GET('/v1/admin/pools/{pool}/forms/{form}', { params: { path: { pool, form } } })),
    // Who opens the editor begins with the draft as it is now.
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

export const formVersionsQuery = (pool: string, form: string) =>
  wholeList(['form versions', pool, form], (query) =>
    dataOf(
      api.GET('/v1/admin/pools/{pool}/forms/{form}/versions', { params: { path: { pool, form }, query } }),
    ),
  );

export const formVersionQuery = (pool: string, form: string, version: number) =>
  queryOptions({
    queryKey: ['form version', pool, form, version],
    queryFn: () =>
      dataOf(
        api.GET('/v1/admin/pools/{pool}/forms/{form}/versions/{version}', {
          params: { path: { pool, form, version } },
        }),
      ),
    // It never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** A day begins at midnight where the viewer is. */
export const bookingsOfDayQuery = (pool: string, day: string, bookingSystem: string | undefined) =>
  pagedList(
    ['bookings', pool, day, bookingSystem],
    ({ cursor }) => {
      const query = { from: startOfDay(day), until: endOfDay(day), bookingSystem, cursor };
      return dataOf(api.GET('/v1/pools/{pool}/bookings', { params: { path: { pool }, query } }));
    },
    { retry: false, staleTime: 60_000 },
  );

export const credentialsQuery = wholeList(['credentials'], (query) =>
  dataOf(api.GET('/v1/admin/credentials', { params: { query } })),
);

export const sessionsQuery = wholeList(['sessions'], (query) =>
  dataOf(api.GET('/v1/admin/sessions', { params: { query } })),
);

export const auditQuery = (filter: AuditFilter) =>
  pagedList(
    ['audit', filter],
    (page) => dataOf(api.GET('/v1/admin/audit', { params: { query: { ...filter, ...page } } })),
    { refetchInterval: whileOnFirstPage(pollEveryMs) },
  );

export const alertsQuery = wholeList(['alerts'], (query) =>
  dataOf(api.GET('/v1/admin/alerts', { params: { query } })),
);

const shownSentAlerts = 30;

export const sentAlertsQuery = queryOptions({
  queryKey: ['sent-alerts'],
  queryFn: async () =>
    (await dataOf(api.GET('/v1/admin/sent-alerts', { params: { query: { limit: shownSentAlerts } } }))).items,
  refetchInterval: pollEveryMs,
});
