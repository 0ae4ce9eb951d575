import type { DestinationShare, DestinationWork } from '@waiver-service/outbox';

/** The slots that a destination may use. */
type SlotShare = Pick<DestinationShare, 'destination' | 'slots'>;

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

// Shorter calls free their slots so soon that it does not matter who had them.
const quickCallMs = 250;
const weightOfNewest = 0.2;

/** Updates the mean duration of a destination's calls, in milliseconds. Newer calls weigh more. */
export const callTimeAfter = (formerMs: number | undefined, callMs: number): number =>
  formerMs === undefined ? callMs : formerMs + weightOfNewest * (callMs - formerMs);

/** Whether calls to a destination are slow, or may be because it was never called. */
export const isSlowCall = (callMs: number | undefined): boolean =>
  callMs === undefined || callMs > quickCallMs;

/** The slots of a process, as one pool sees them. */
interface SlotUse {
  readonly concurrency: number;
  /** Slots that other pools hold. */
  readonly ofOthers: number;
}

/**
 * How many slots a pool may use for slow calls: half of what the other pools leave, at least one. So there is always a
 * free slot for a pool that has none, until as many pools are slow as there are slots, and pools that are slow at the
 * same time converge to equal shares.
 */
export const maxSlowSlots = ({ concurrency, ofOthers }: SlotUse): number =>
  Math.max(1, Math.floor((concurrency - ofOthers) / 2));

/** A destination with something to send, and how much could be claimed. */
interface SlotRequest extends SlotShare {
  readonly pool: string;
  readonly isSlow: boolean;
}

/**
 * Allocates slots for a claim: as many as wanted for fast destinations, and for slow ones an even share of their
 * pool's. Omits those that get none.
 *
 * @param slowRoomOf how many more slow calls a pool may have.
 */
export function allotSlots(
  wanted: readonly SlotRequest[],
  slowRoomOf: (pool: string) => number,
): SlotShare[] {
  const given = new Map<SlotRequest, number>();
  for (const each of wanted) if (!each.isSlow) given.set(each, each.slots);
  for (const [pool, slow] of Map.groupBy(
    wanted.filter(({ isSlow }) => isSlow),
    (each) => each.pool,
  )) {
    let left = slowRoomOf(pool);
    let open: readonly SlotRequest[] = slow;
    while (left > 0 && open.length > 0) {
      for (const each of open.slice(0, left)) given.set(each, (given.get(each) ?? 0) + 1);
      left -= open.length;
      open = open.filter((each) => (given.get(each) ?? 0) < each.slots);
    }
  }
  return wanted
    .map((each) => ({ destination: each.destination, slots: given.get(each) ?? 0 }))
    .filter(({ slots }) => slots > 0);
}

/** The mean duration of calls to each destination. */
export interface CallTimes {
  isSlow(destination: string): boolean;
  add(destination: string, callMs: number): void;
}

const maxDestinations = 10_000;

/** Remembers the call times of at most ten thousand destinations. */
export function createCallTimes(): CallTimes {
  const times = new Map<string, number>();
  return {
    isSlow: (destination) => isSlowCall(times.get(destination)),
    add(destination, callMs) {
      const former = times.get(destination);
      if (former === undefined && times.size >= maxDestinations) times.clear();
      times.set(destination, callTimeAfter(former, callMs));
    },
  };
}
