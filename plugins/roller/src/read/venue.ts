import { createInstallationCache, isTimeZone, objectsIn, textOf } from '@waiver-service/plugin-kit';
import type { Context } from '../account.ts';
import { requestPasses, requestVenue } from '../requests.ts';

/** A product that admits people; a booking's items refer to it. */
export interface Pass {
  readonly activityId: string | undefined;
  readonly activityName: string | undefined;
  /** The name of the variation, such as `Adult`. */
  readonly variation: string | undefined;
  /** The number of people for each one bought. */
  readonly groupSize: number;
}

/** The facts about a venue that its bookings do not repeat. */
export interface Venue {
  /** IANA; `undefined` if ROLLER names none. */
  readonly timeZone: string | undefined;
  /** By the id of the variation. */
  readonly passes: ReadonlyMap<string, Pass>;
}

const passTypes: ReadonlySet<unknown> = new Set(['pass', 'sessionpass', 'membership', 'recurringpass']);

/** A group size that is missing or unusable is 1. */
function groupSizeOf(value: unknown): number {
  const size = Number(textOf(value));
  return Number.isSafeInteger(size) && size > 0 ? size : 1;
}

/** The variations of all passes among products, by id. */
export function passesIn(products: unknown): ReadonlyMap<string, Pass> {
  const passes = new Map<string, Pass>();
  for (const product of objectsIn(products)) {
    const { type, parentProductId, id, parentProductName, name } = product;
    if (!passTypes.has(type)) continue;
    const activityId = textOf(parentProductId) ?? textOf(id);
    const activityName = textOf(parentProductName) ?? textOf(name);
    for (const variation of objectsIn(product.products)) {
      const variationId = textOf(variation.id);
      if (variationId === undefined) continue;
      const groupSize = groupSizeOf(variation.groupSize);
      passes.set(variationId, { activityId, activityName, variation: textOf(variation.name), groupSize });
    }
  }
  return passes;
}

/** ROLLER has two fields for it, but the documented example has an IANA name in neither. */
export function timeZoneIn({
  ianaTimeZone,
  timeZone,
}: Readonly<Record<string, unknown>>): string | undefined {
  return [textOf(ianaTimeZone), textOf(timeZone)].find((name) => name !== undefined && isTimeZone(name));
}

async function requestFacts(context: Context): Promise<Venue> {
  const timeZone = context.account.timeZone ?? timeZoneIn(await requestVenue(context));
  return { timeZone, passes: passesIn(await requestPasses(context)) };
}

// ROLLER requires clients to cache products.
const maxEntries = 1_000;
const venues = createInstallationCache<Venue>({ maxAgeMs: 3_600_000, maxEntries });
const askedLately = createInstallationCache<true>({ maxAgeMs: 600_000, maxEntries });

/**
 * The venue of an account, cached for an hour. An unknown product may be a new pass, which would count no people, so it
 * causes another request, but at most every ten minutes: not every product is a pass. Throws core's errors.
 */
export async function venueOf(context: Context, sessionProducts: readonly string[]): Promise<Venue> {
  const kept = venues.get(context, 'venue');
  const isKnown = (productId: string) => kept?.passes.has(productId);
  if (kept !== undefined && (sessionProducts.every(isKnown) || askedLately.get(context, 'venue'))) {
    return kept;
  }
  const venue = await requestFacts(context);
  venues.set(context, 'venue', venue);
  askedLately.set(context, 'venue', true);
  return venue;
}
