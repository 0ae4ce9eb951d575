import type { BookingSystemHttp } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { raiseForOcto, statusOf } from '../answers.ts';
import type { UnitItem } from './unit-items.ts';

/** The units of the booked option, by id. */
export type Units = ReadonlyMap<unknown, kit.JsonObject>;

/** Asks for a product; `undefined` where the system has none of this id any more. Throws core's errors otherwise. */
export async function askForProduct(
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

/** The units of a product, of the booked option where it is among the product's. */
function unitsOf({ options }: kit.JsonObject, optionId: unknown): Units {
  const all = kit.objectsIn(options);
  const booked = all.filter(({ id }) => id === optionId);
  const units = (booked.length > 0 ? booked : all).flatMap(({ units: listed }) => kit.objectsIn(listed));
  return new Map(units.map((unit) => [unit.id, unit]));
}

/**
 * The booked product and its units. A booking may bring neither, as those of Peek and Ventrata do: then the product is
 * asked for, once for each read.
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
  const isWhole = kit.isJsonObject(booking.product) && !items.some(lacksUnit);
  if (isWhole || id === undefined) return { product: own, units: ownUnits };
  const asked = await askForProduct(http, id, bookingId);
  if (asked !== undefined) {
    return {
      product: { ...asked, ...own },
      units: new Map([...unitsOf(asked, booking.optionId), ...ownUnits]),
    };
  }
  const message = `there is no product ${kit.quoted(id)} any more: a unit that the booking does not describe counts as one person`;
  reading.warn('value_ignored', 'productId', message);
  return { product: own, units: ownUnits };
}
