import type { BookingSystemHttp } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { raiseForOcto, statusOf } from '../answers.ts';
import type { UnitItem } from './unit-items.ts';

/** The units of the booked option, by id. */
export type Units = ReadonlyMap<unknown, kit.JsonObject>;

/** Requests a product; `undefined` if it no longer exists. Throws core's errors. */
export async function requestProduct(
  http: BookingSystemHttp,
  id: string,
  bookingId?: string,
): Promise<kit.JsonObject | undefined> {
  if (kit.invalidIdReason(id) !== undefined) return undefined;
  const response = await http.get(`products/${kit.percentEncode(id)}`);
  if (statusOf(response) === 404) return undefined;
  raiseForOcto(response, bookingId);
  return kit.objectOf(response.data);
}

/** The units of the booked option, or of all options if the product does not include the booked one. */
function unitsOf({ options }: kit.JsonObject, optionId: unknown): Units {
  const all = kit.objectsIn(options);
  const booked = all.filter(({ id }) => id === optionId);
  const units = (booked.length > 0 ? booked : all).flatMap(({ units: listed }) => kit.objectsIn(listed));
  return new Map(units.map((unit) => [unit.id, unit]));
}

/**
 * The booked product and its units. Bookings of Peek and Ventrata include neither: the product is then requested, once
 * per read.
 */
export async function productOf(
  reading: kit.Reading,
  http: BookingSystemHttp,
  booking: kit.JsonObject,
  items: readonly UnitItem[],
  bookingId: string,
): Promise<{ readonly product: kit.JsonObject; readonly units: Units }> {
  const own = kit.objectOf(booking.product);
  const ownUnits = unitsOf({ options: [...kit.objectsIn(own.options), booking.option] }, booking.optionId);
  const lacksUnit = ({ value }: UnitItem) => !kit.isJsonObject(value.unit) && !ownUnits.has(value.unitId);
  const id = kit.textOf(booking.productId) ?? kit.textOf(own.id);
  const isComplete = kit.isJsonObject(booking.product) && !items.some(lacksUnit);
  if (isComplete || id === undefined) return { product: own, units: ownUnits };
  const requested = await requestProduct(http, id, bookingId);
  if (requested !== undefined) {
    return {
      product: { ...requested, ...own },
      units: new Map([...unitsOf(requested, booking.optionId), ...ownUnits]),
    };
  }
  const message = `there is no product ${kit.quoted(id)} any more: a unit that the booking does not describe counts as one person`;
  reading.warn('value_ignored', 'productId', message);
  return { product: own, units: ownUnits };
}
