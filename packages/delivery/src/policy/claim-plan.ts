import type { DestinationShare, DestinationWork } from '@waiver-service/outbox';

/** The slots that a destination may use. */
export type SlotShare = Pick<DestinationShare, 'destination' | 'slots'>;

/** One claim to make. */
export interface PlannedClaim {
  readonly shares: readonly SlotShare[];
  readonly retrying: boolean;
  /** Whether it uses slots that are not reserved for first attempts. */
  readonly isRetry: boolean;
}

/** Messages in flight and their limit, by destination. */
export interface ClaimRoom {
  /** Messages in flight to each destination. */
  readonly busy: ReadonlyMap<string, number>;
  readonly destinationConcurrency: number;
}

/**
 * How many slots retries may use. The others are reserved for first attempts at destinations that do not fail, so that
 * old retries, which often end in a timeout, cannot starve new messages.
 */
export const retrySlots = (concurrency: number) => Math.max(1, Math.floor((concurrency * 3) / 4));

/** Shuffles destinations, so that none is favored. */
function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((first, second) => first.place - second.place)
    .map(({ item }) => item);
}

/** Plans claims: first attempts first, then retries and messages for failing destinations. */
export function planClaims(
  work: readonly DestinationWork[],
  { busy, destinationConcurrency }: ClaimRoom,
  random: () => number,
): PlannedClaim[] {
  const sharesOf = (chosen: readonly DestinationWork[]): SlotShare[] =>
    shuffled(chosen, random)
      .map(({ destination }) => ({
        destination,
        slots: destinationConcurrency - (busy.get(destination) ?? 0),
      }))
      .filter(({ slots }) => slots > 0);
  const plans: PlannedClaim[] = [
    {
      shares: sharesOf(work.filter(({ fresh, failing }) => fresh && !failing)),
      retrying: false,
      isRetry: false,
    },
  ];
  const retries: PlannedClaim[] = [
    { shares: sharesOf(work.filter(({ retrying }) => retrying)), retrying: true, isRetry: true },
    {
      shares: sharesOf(work.filter(({ fresh, failing }) => fresh && failing)),
      retrying: false,
      isRetry: true,
    },
  ];
  return [...plans, ...shuffled(retries, random)].filter(({ shares }) => shares.length > 0);
}
