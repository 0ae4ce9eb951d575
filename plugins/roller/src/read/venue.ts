import { isTimeZone, objectsIn, textOf } from '@waiver-service/plugin-kit';
import type { Account, Context } from '../account.ts';
import { requestPasses, requestVenue } from '../requests.ts';

/** A product that admits people; a booking's items refer to it. */
export interface Pass {
  readonly activityId: string | undefined;
  readonly activityName: string | undefined;
  /** The name of the variation, such as `Adult`. */
  readonly variation: string | undefined;
}

/** The facts about a venue that its bookings do not repeat. */
export interface Venue {
  /** IANA; `undefined` if ROLLER names none. */
  readonly timeZone: string | undefined;
  /** By the id of the variation. */
  readonly passes: ReadonlyMap<string, Pass>;
}

const passTypes: ReadonlySet<unknown> = new Set(['pass', 'sessionpass', 'membership', 'recurringpass']);

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
      passes.set(variationId, { activityId, activityName, variation: textOf(variation.name) });
    }
  }
  return passes;
}

/** ROLLER has two fields for it, and documents an example that is in neither case a name of the IANA database. */
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

const maxAgeMs = 3_600_000;

// ROLLER demands that products be cached. The account is parsed once for all calls of an installation, so that what is
// cached lasts as long as these and is never another account's.
const cache = new WeakMap<Account, { readonly venue: Venue; readonly until: number }>();

/** The venue of an account, asked for at most once an hour. Throws core's errors. */
export async function venueOf(context: Context): Promise<Venue> {
  const cached = cache.get(context.account);
  if (cached !== undefined && Date.now() < cached.until) return cached.venue;
  const venue = await requestFacts(context);
  cache.set(context.account, { venue, until: Date.now() + maxAgeMs });
  return venue;
}
