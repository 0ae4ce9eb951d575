import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { endOfDay, startOfDay } from '../components/days.ts';
import { pollEveryMs, refreshEveryMs } from '../live/live-state.ts';
import { api } from './client.ts';
import { ApiProblem } from './problem.ts';
import type {
  Alert,
  DeliveryFilter,
  Destination,
  HealthWindow,
  OverviewWindow,
  Pool,
  SentAlert,
  WaiverState,
} from './resources.ts';

/** A call that resolves has data: refused ones reject. */
export async function dataOf<Data>(call: Promise<{ data?: Data }>): Promise<Data> {
  const { data } = await call;
  if (data === undefined) throw new ApiProblem({ status: 0, code: 'no_data', message: '' });
  return data;
}

interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

const pageSize = 100;
// Pools and destinations are read whole, to choose from and to name; more than that nobody looks through.
const maxPages = 20;

async function allOf<Item>(readPage: (cursor: string | undefined) => Promise<PageOf<Item>>): Promise<Item[]> {
  const all: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const { items, next } = await readPage(cursor);
    all.push(...items);
    if (next === null) break;
    cursor = next;
  }
  return all;
}

/** How a list that is read page by page goes on. */
const byCursor = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }: { readonly next: string | null }) => next ?? undefined,
};

interface PagedState {
  readonly state: { readonly data?: { readonly pages: readonly unknown[] } };
}

/** A list is read again while its first page is all that was read: whoever has scrolled looks at what was. */
const whileOnFirstPage =
  (everyMs: () => number) =>
  ({ state }: PagedState): number | false =>
    (state.data?.pages.length ?? 0) > 1 ? false : everyMs();

export const poolsQuery = queryOptions({
  queryKey: ['pools'],
  queryFn: (): Promise<Pool[]> =>
    allOf((cursor) => dataOf(api.GET('/v1/admin/pools', { params: { query: { limit: pageSize, cursor } } }))),
});

export const destinationsQuery = queryOptions({
  queryKey: ['destinations'],
  queryFn: (): Promise<Destination[]> =>
    allOf((cursor) =>
      dataOf(api.GET('/v1/admin/destinations', { params: { query: { limit: pageSize, cursor } } })),
    ),
  refetchInterval: refreshEveryMs,
});

export const deliveriesQuery = (filter: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', filter],
    queryFn: ({ pageParam: cursor }) =>
      dataOf(api.GET('/v1/admin/deliveries', { params: { query: { ...filter, limit: pageSize, cursor } } })),
    ...byCursor,
    refetchInterval: whileOnFirstPage(refreshEveryMs),
  });

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['delivery', id],
    queryFn: () => dataOf(api.GET('/v1/admin/deliveries/{id}', { params: { path: { id } } })),
    // One that has ended can be opened again by a person, so it is looked at as well.
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

/** Which waivers a list has. */
export interface WaiverFilter {
  readonly bookingId?: string | undefined;
  readonly state?: WaiverState | undefined;
  /** A name, an e-mail address or an id, or their beginning. Not for viewers. */
  readonly search?: string | undefined;
}

/** The waivers that changed last come first, unless they are searched. */
export const waiversQuery = (pool: string, filter: WaiverFilter) =>
  infiniteQueryOptions({
    queryKey: ['waivers', pool, filter],
    queryFn: ({ pageParam: cursor }) =>
      dataOf(
        api.GET('/v1/pools/{pool}/waivers', {
          params: {
            path: { pool },
            query: {
              ...filter,
              ...(filter.search === undefined ? { order: 'newest' as const } : {}),
              limit: pageSize,
              cursor,
            },
          },
        }),
      ),
    ...byCursor,
    placeholderData: keepPreviousData,
  });

export const erasedWaiversQuery = (pool: string) =>
  infiniteQueryOptions({
    queryKey: ['erased waivers', pool],
    queryFn: ({ pageParam: cursor }) =>
      dataOf(
        api.GET('/v1/admin/pools/{pool}/erased-waivers', {
          params: { path: { pool }, query: { limit: pageSize, cursor } },
        }),
      ),
    ...byCursor,
    refetchInterval: whileOnFirstPage(pollEveryMs),
  });

export const waiverVersionsQuery = (pool: string, id: string, version: number) =>
  infiniteQueryOptions({
    // Another version of the record has another list.
    queryKey: ['waiver versions', pool, id, version],
    queryFn: ({ pageParam: cursor }) =>
      dataOf(
        api.GET('/v1/admin/pools/{pool}/waivers/{id}/versions', {
          params: { path: { pool, id }, query: { limit: pageSize, cursor } },
        }),
      ),
    ...byCursor,
  });

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
  infiniteQueryOptions({
    queryKey: ['unmatched waivers', pool],
    queryFn: ({ pageParam: cursor }) =>
      dataOf(
        api.GET('/v1/admin/pools/{pool}/unmatched-waivers', {
          params: { path: { pool }, query: { limit: pageSize, cursor } },
        }),
      ),
    ...byCursor,
    refetchInterval: whileOnFirstPage(pollEveryMs),
  });

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
    queryFn: async () =>
      (
        await dataOf(
          api.GET('/v1/admin/pools/{pool}/webhooks', {
            params: { path: { pool }, query: { limit: pageSize } },
          }),
        )
      ).items,
  });

export const accessTokensQuery = (pool: string) =>
  queryOptions({
    queryKey: ['access-tokens', pool],
    queryFn: () =>
      allOf((cursor) =>
        dataOf(
          api.GET('/v1/admin/pools/{pool}/access-tokens', {
            params: { path: { pool }, query: { limit: pageSize, cursor } },
          }),
        ),
      ),
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

/** Of the destinations that are looked at first: nobody compares more than a page of them. */
export const destinationHealthQuery = (pool: string | undefined, window: HealthWindow) =>
  queryOptions({
    queryKey: ['destination-health', pool, window],
    queryFn: () =>
      dataOf(
        api.GET('/v1/admin/destinations/health', { params: { query: { pool, window, limit: pageSize } } }),
      ),
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

/** A day begins at midnight where the viewer is. */
export const bookingsOfDayQuery = (pool: string, day: string, bookingSystem: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['bookings', pool, day, bookingSystem],
    queryFn: ({ pageParam: cursor }) =>
      dataOf(
        api.GET('/v1/pools/{pool}/bookings', {
          params: {
            path: { pool },
            query: { from: startOfDay(day), until: endOfDay(day), bookingSystem, cursor },
          },
        }),
      ),
    ...byCursor,
    retry: false,
    staleTime: 60_000,
  });

export const credentialsQuery = queryOptions({
  queryKey: ['credentials'],
  queryFn: () =>
    allOf((cursor) =>
      dataOf(api.GET('/v1/admin/credentials', { params: { query: { limit: pageSize, cursor } } })),
    ),
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () =>
    allOf((cursor) =>
      dataOf(api.GET('/v1/admin/sessions', { params: { query: { limit: pageSize, cursor } } })),
    ),
});

/** Which entries of the audit log to list. */
interface AuditFilter {
  readonly pool?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  readonly since?: string | undefined;
}

export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam: cursor }) =>
      dataOf(api.GET('/v1/admin/audit', { params: { query: { ...filter, limit: pageSize, cursor } } })),
    ...byCursor,
    refetchInterval: whileOnFirstPage(pollEveryMs),
  });

export const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: (): Promise<Alert[]> =>
    allOf((cursor) =>
      dataOf(api.GET('/v1/admin/alerts', { params: { query: { limit: pageSize, cursor } } })),
    ),
});

const shownSentAlerts = 30;

/** The last ones. */
export const sentAlertsQuery = queryOptions({
  queryKey: ['sent-alerts'],
  queryFn: async (): Promise<readonly SentAlert[]> =>
    (await dataOf(api.GET('/v1/admin/sent-alerts', { params: { query: { limit: shownSentAlerts } } }))).items,
  refetchInterval: pollEveryMs,
});
