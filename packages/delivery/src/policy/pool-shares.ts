import type { SlotShare } from './claim-plan.ts';

// A call that takes no longer gives its slot back so soon that nobody notices who had it.
const quickCallMs = 250;
const weightOfNewest = 0.2;

/** The mean time of a destination's calls after one more of them; the newer, the more it counts. Milliseconds. */
export const callTimeAfter = (formerMs: number | undefined, callMs: number): number =>
  formerMs === undefined ? callMs : formerMs + weightOfNewest * (callMs - formerMs);

/** Whether calls to a destination hold their slots for long, as far as is known: one that was never called may. */
export const isSlowCall = (callMs: number | undefined): boolean =>
  callMs === undefined || callMs > quickCallMs;

/** The slots of a process, as one pool sees them. */
export interface SlotUse {
  readonly concurrency: number;
  /** Slots that other pools hold. */
  readonly ofOthers: number;
}

/**
 * How many slots a pool may hold for slow calls: half of what the other pools leave, one at least. So there is always
 * a slot free for a pool that has none, until as many pools are slow as there are slots; and pools that are slow at the
 * same time come to have the same share.
 */
export const maxSlowSlots = ({ concurrency, ofOthers }: SlotUse): number =>
  Math.max(1, Math.floor((concurrency - ofOthers) / 2));

/** A destination that has something to send, and how much of it might be claimed. */
export interface WantedSlots extends SlotShare {
  readonly pool: string;
  readonly isSlow: boolean;
}

/**
 * Allots slots for a claim: all wanted ones where calls are quick, else those of the pool, shared evenly among the pool's
 * slow destinations. Those that get none are left out.
 *
 * @param slowRoomOf how many more slow calls a pool may have.
 */
export function allotSlots(
  wanted: readonly WantedSlots[],
  slowRoomOf: (pool: string) => number,
): SlotShare[] {
  const given = new Map<WantedSlots, number>();
  for (const each of wanted) if (!each.isSlow) given.set(each, each.slots);
  for (const [pool, slow] of Map.groupBy(
    wanted.filter(({ isSlow }) => isSlow),
    (each) => each.pool,
  )) {
    let left = slowRoomOf(pool);
    let open: readonly WantedSlots[] = slow;
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
