import type { Delivery, DeliveryFilter, Destination } from '../api/resources.ts';

/** The pages of a list of deliveries that were read, newest first. */
export interface DeliveryPages {
  readonly pages: readonly { readonly items: readonly Delivery[]; readonly next: string | null }[];
  readonly pageParams: readonly unknown[];
}

/** Not told of a delivery: whether it belongs to such a list is found by reading it. */
export const isAboutErrors = ({ errorCode, status }: DeliveryFilter) =>
  errorCode !== undefined || status !== undefined;

/** Whether a delivery is one that a filter asks for, its errors apart. */
function matches(delivery: Delivery, filter: DeliveryFilter): boolean {
  const { pool, kind, state, destination, waiverId, since, until } = filter;
  return (
    (pool === undefined || delivery.pool === pool) &&
    (kind === undefined || delivery.kind === kind) &&
    (state === undefined || delivery.state === state) &&
    (destination === undefined || delivery.destination === destination) &&
    (waiverId === undefined || delivery.waiverId === waiverId) &&
    (since === undefined || delivery.createdAt >= since) &&
    (until === undefined || delivery.createdAt < until)
  );
}

/**
 * The pages of a list with deliveries as they are now: in their places, new ones at theirs, without those that the filter
 * no longer asks for. What is older than what was read stays unread. The pages themselves where nothing is different.
 */
export function withDeliveries(
  data: DeliveryPages,
  filter: DeliveryFilter,
  changed: readonly Delivery[],
): DeliveryPages {
  const byId = new Map(changed.map((delivery) => [delivery.id, delivery]));
  const known = new Set<string>();
  let isChanged = false;
  const pages = data.pages.map((page) => {
    if (!page.items.some(({ id }) => byId.has(id))) return page;
    isChanged = true;
    const items = page.items.flatMap((item) => {
      const now = byId.get(item.id);
      if (now === undefined) return item;
      known.add(item.id);
      return matches(now, filter) ? now : [];
    });
    return { ...page, items };
  });
  const added = isAboutErrors(filter)
    ? []
    : changed.filter((delivery) => !known.has(delivery.id) && matches(delivery, filter));
  for (const delivery of added) {
    // Ids grow with time.
    const place = pages.findIndex(
      ({ items, next }) => next === null || (items.at(-1)?.id ?? '') < delivery.id,
    );
    const page = pages[place];
    if (page === undefined) continue;
    isChanged = true;
    const at = page.items.findIndex(({ id }) => id < delivery.id);
    pages[place] = { ...page, items: page.items.toSpliced(at === -1 ? page.items.length : at, 0, delivery) };
  }
  return isChanged ? { ...data, pages } : data;
}

/** Destinations as they are now, in their places; closed ones are gone. */
export function withDestinations(
  all: readonly Destination[],
  changed: readonly Destination[],
): Destination[] {
  const byId = new Map(changed.map((destination) => [destination.id, destination]));
  const kept = all.map((destination) => byId.get(destination.id) ?? destination);
  const added = changed.filter(({ id }) => !all.some((destination) => destination.id === id));
  return [...kept, ...added].filter(({ status }) => status !== 'closed');
}
