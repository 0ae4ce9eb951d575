import { randomUUID } from 'node:crypto';
import type { OctoBooking, OctoUnitItem } from './octo-booking.ts';
import { OctoRefusal } from './octo-refusal.ts';
import type { OctoWaivers } from './octo-waivers.ts';

// A PATCH reissues the unit items it includes, with another reference, as octotravel/octomock does.
function patchUnitItem(item: OctoUnitItem, body: object): OctoUnitItem {
  const { unitId = item.unitId, contact = item.contact, resellerReference = null } = Object(body);
  return { ...item, unitId, contact, resellerReference, supplierReference: `KAY-${randomUUID()}` };
}

// Unit items whose uuid the body does not include are removed from the booking.
function patchUnitItems(booking: OctoBooking, bodies: readonly object[]): readonly OctoUnitItem[] {
  if (bodies.length === 0) throw new OctoRefusal('UNPROCESSABLE_ENTITY', 'at least one ticket is required');
  const left = [...booking.unitItems];
  return bodies.map((body) => {
    const { uuid } = Object(body);
    const index = left.findIndex((item) => item.uuid === uuid);
    const [item] = index === -1 ? [] : left.splice(index, 1);
    if (item === undefined)
      throw new OctoRefusal('UNPROCESSABLE_ENTITY', 'a unit item is not in the booking');
    return patchUnitItem(item, body);
  });
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Applies a PATCH to a booking. If it throws OctoRefusal, nothing has changed. */
export function patchOctoBooking(
  booking: OctoBooking,
  body: unknown,
  waivers: OctoWaivers | undefined,
): OctoBooking {
  if (!isObject(body)) throw new OctoRefusal('BAD_REQUEST', 'the body is no object');
  const { notes = booking.notes, contact = booking.contact, unitItems: bodies } = Object(body);
  const unitItems: object[] | undefined = Array.isArray(bodies) ? bodies.filter(isObject) : undefined;
  // The documentation makes no exception, not even for the vendor's own waiver.
  if (!booking.cancellable) {
    throw new OctoRefusal('UNPROCESSABLE_ENTITY', 'the booking is not cancellable any more');
  }
  const patched = {
    ...booking,
    notes,
    contact,
    unitItems: unitItems ? patchUnitItems(booking, unitItems) : booking.unitItems,
  };
  const filled = [
    { place: undefined, sent: body },
    ...(unitItems ?? []).map((sent, index) => ({ place: patched.unitItems[index]?.uuid, sent })),
  ];
  for (const { place, sent } of filled) waivers?.check(booking, place, sent);
  for (const { place, sent } of filled) waivers?.take(booking, place, sent);
  return patched;
}
