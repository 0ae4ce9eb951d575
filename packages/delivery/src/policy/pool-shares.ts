import type { SlotShare } from './claim-plan.ts';

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
export interface SlotUse {
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
export interface SlotRequest extends SlotShare {
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
