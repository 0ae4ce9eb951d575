import type { BookingSystemContext, BookingSystemHttp } from '@waiver-service/core';
import {
  createInstallationCache,
  invalidIdReason,
  isJsonObject,
  type JsonObject,
  objectOf,
  objectsIn,
  percentEncode,
  quoted,
  type Reading,
  textOf,
} from '@waiver-service/plugin-kit';
import { raiseForOcto, statusOf } from '../answers.ts';
import type { UnitItem } from './unit-items.ts';

/** The units of the booked option, by id. */
export type Units = ReadonlyMap<unknown, JsonObject>;

/** The booked product, and its units. */
export interface BookedProduct {
  readonly product: JsonObject;
  readonly units: Units;
}

/** A unit item's unit: included in it, or else from the product. */
export const unitOf = ({ value }: UnitItem, units: Units): JsonObject =>
  isJsonObject(value.unit) ? value.unit : objectOf(units.get(value.unitId));

/** Requests a product; `undefined` if it no longer exists. Throws core's errors. */
export async function requestProduct(
  http: BookingSystemHttp,
  id: string,
  bookingId?: string,
): Promise<JsonObject | undefined> {
  if (invalidIdReason(id) !== undefined) return undefined;
  const response = await http.get(`products/${percentEncode(id)}`);
  if (statusOf(response) === 404) return undefined;
  raiseForOcto(response, bookingId);
  return objectOf(response.data);
}

/** The units of the booked option, or of all options if it is not among them. */
function unitsOf(options: readonly JsonObject[], optionId: unknown): Units {
  const booked = options.filter(({ id }) => id === optionId);
  const units = (booked.length > 0 ? booked : options).flatMap((option) => objectsIn(option.units));
  return new Map(units.map((unit) => [unit.id, unit]));
}

/** The product as described in the booking, possibly not at all. */
function includedProduct(booking: JsonObject): BookedProduct {
  const product = objectOf(booking.product);
  const options = [...objectsIn(product.options), ...objectsIn([booking.option])];
  return { product, units: unitsOf(options, booking.optionId) };
}

/** The part of a product needed to read a booking, without long texts and pictures. */
function neededPart({ title, internalName, timeZone, availabilityType, options }: JsonObject): JsonObject {
  const neededOptions = objectsIn(options).map((option) => ({
    id: option.id,
    units: objectsIn(option.units).map(({ id, type, restrictions }) => ({ id, type, restrictions })),
  }));
  return { title, internalName, timeZone, availabilityType, options: neededOptions };
}

const products = createInstallationCache<JsonObject>({ maxAgeMs: 600_000, maxEntries: 1_000 });

/** The client that requests a product, and the installation for which it is cached. */
export type ProductContext = Pick<BookingSystemContext, 'http' | 'installation'>;

/**
 * The booked product and its units. Bookings of Peek and Ventrata include neither: the product is then requested, and
 * cached for ten minutes. A cached one that lacks the booked option or a unit is requested again.
 */
export async function findProduct(
  reading: Reading,
  context: ProductContext,
  booking: JsonObject,
  items: readonly UnitItem[],
  bookingId: string,
): Promise<BookedProduct> {
  const included = includedProduct(booking);
  const { optionId } = booking;
  const isIncluded = ({ value }: UnitItem) => isJsonObject(value.unit) || included.units.has(value.unitId);
  const id = textOf(booking.productId) ?? textOf(included.product.id);
  if (id === undefined || (isJsonObject(booking.product) && items.every(isIncluded))) return included;
  const hasAll = ({ options }: JsonObject) => {
    const listed = objectsIn(options);
    const units = unitsOf(listed, optionId);
    const isOptionKnown = optionId === undefined || listed.some((option) => option.id === optionId);
    return isOptionKnown && items.every((item) => isIncluded(item) || units.has(item.value.unitId));
  };
  const kept = products.get(context, id);
  const requested =
    kept !== undefined && hasAll(kept) ? kept : await requestProduct(context.http, id, bookingId);
  if (requested === undefined) {
    const message = `there is no product ${quoted(id)} any more: a unit that the booking does not describe counts as one person`;
    reading.warn('value_ignored', 'productId', message);
    return included;
  }
  if (requested !== kept) products.set(context, id, neededPart(requested));
  return {
    product: { ...requested, ...included.product },
    units: new Map([...unitsOf(objectsIn(requested.options), booking.optionId), ...included.units]),
  };
}
