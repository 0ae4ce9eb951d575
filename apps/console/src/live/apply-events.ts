import type { QueryClient } from '@tanstack/react-query';
import type { Delivery, DeliveryFilter, Destination } from '../api/resources.ts';
import { type DeliveryPages, isAboutErrors, withDeliveries, withDestinations } from './changed-pages.ts';
import type { StreamEvent } from './event-stream.ts';
import { createThrottle } from './throttle.ts';

// Figures in which many changes are counted together are read again at most this often.
const refreshEveryMs = 3_000;
/** More rows than this are not gathered at the top of a list: it is read anew. */
const maxGathered = 500;

/** The queries whose answers change by themselves, by the first word of their keys. */
const liveKeys = [
  'deliveries',
  'delivery',
  'lane',
  'waiver',
  'destinations',
  'destination-health',
  'overview',
];

interface Items<Item> {
  readonly items: readonly Item[];
}

const isFilter = (value: unknown): value is DeliveryFilter => typeof value === 'object' && value !== null;

/** The data of events, as the host writes it. */
interface EventData {
  readonly deliveries: Items<Delivery>;
  readonly destinations: Items<Destination>;
}

const isEvent = <Name extends keyof EventData>(
  name: Name,
  event: StreamEvent,
): event is StreamEvent & { readonly data: EventData[Name] } => event.event === name;

/** Whoever has scrolled on looks at what was: of a list, only the first page is read again. */
const isOnFirstPage = ({ state }: { readonly state: { readonly data: unknown } }) =>
  !(Object(state.data).pages?.length > 1);

/** Brings what the pages show up to date by live events. */
export function createEventApplier(queries: QueryClient) {
  const throttle = createThrottle(refreshEveryMs);

  const refresh = (name: string) =>
    throttle.run(name, () => {
      void queries.invalidateQueries({ queryKey: [name], predicate: isOnFirstPage });
    });

  function refreshAll(): void {
    for (const key of liveKeys) refresh(key);
  }

  function applyDeliveries(changed: readonly Delivery[]): void {
    for (const [queryKey, data] of queries.getQueriesData<DeliveryPages>({ queryKey: ['deliveries'] })) {
      const filter = queryKey[1];
      if (data === undefined || !isFilter(filter)) continue;
      queries.setQueryData(queryKey, withDeliveries(data, filter, changed));
      const isTooLong = (data.pages[0]?.items.length ?? 0) > maxGathered;
      if (isTooLong || isAboutErrors(filter)) refresh('deliveries');
    }
    for (const { id, pool, waiverId } of changed) {
      void queries.invalidateQueries({ queryKey: ['delivery', id] });
      void queries.invalidateQueries({ queryKey: ['waiver', pool, waiverId] });
    }
    for (const key of ['lane', 'overview', 'destinations', 'destination-health']) refresh(key);
  }

  function applyDestinations(changed: readonly Destination[]): void {
    const former = queries.getQueryData<Destination[]>(['destinations']);
    const isOther = ({ id, status }: Destination) =>
      former?.find((destination) => destination.id === id)?.status !== status;
    queries.setQueryData<Destination[]>(['destinations'], (all) => all && withDestinations(all, changed));
    refresh('overview');
    // Its waiting deliveries are held now, or no longer.
    if (changed.some(isOther)) for (const key of ['deliveries', 'delivery', 'lane']) refresh(key);
  }

  return {
    apply(event: StreamEvent): void {
      if (isEvent('deliveries', event)) applyDeliveries(event.data.items);
      else if (isEvent('destinations', event)) applyDestinations(event.data.items);
      else if (event.event === 'resync') refreshAll();
    },
    refreshAll,
    close: () => throttle.clear(),
  };
}
