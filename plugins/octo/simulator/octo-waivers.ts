import type { OctoBooking, OctoProduct } from './octo-booking.ts';
import { OctoRefusal } from './octo-refusal.ts';

/** By field id. */
type Answers = ReadonlyMap<string, unknown>;

function answersOf(values: unknown): Answers {
  if (!Array.isArray(values)) throw new OctoRefusal('BAD_REQUEST', 'waiverFieldValues must be an array');
  return new Map(
    values.map((record: unknown) => {
      const { fieldId, value } = Object(record);
      if (typeof fieldId !== 'string') throw new OctoRefusal('BAD_REQUEST', 'fieldId is missing');
      return [fieldId, value];
    }),
  );
}

/** The vendor's waiver forms that were filled in for bookings and unit items (`octo/waivers`). */
export class OctoWaivers {
  readonly #products: ReadonlyMap<string, OctoProduct>;
  readonly #filled = new Map<string, Answers>();

  constructor(products: ReadonlyMap<string, OctoProduct>) {
    this.#products = products;
  }

  /** Checks the waiver form in the body of a booking, or of one of its unit items (`place`), if it has one. */
  check({ productId }: OctoBooking, place: string | undefined, body: object): void {
    const { waiverId, waiverFieldValues } = Object(body);
    if (waiverId === undefined) return;
    const product = this.#products.get(productId);
    if (product?.waiverPer === 'BOOKING' && place !== undefined) {
      throw new OctoRefusal('WAIVER_ON_BOOKING_ONLY', 'the waiver belongs to the booking');
    }
    if (product?.waiverPer === 'UNIT' && place === undefined) {
      throw new OctoRefusal('WAIVER_ON_TICKET_ONLY', 'the waiver belongs to the unit items');
    }
    if (!product?.waivers?.some(({ id }) => id === waiverId)) {
      throw new OctoRefusal('INVALID_WAIVER_ID', 'the product has no such waiver', { waiverId });
    }
    answersOf(waiverFieldValues);
  }

  /** Stores a waiver form that passed the check. A unit item that is sent without one loses the one it had. */
  take({ uuid }: OctoBooking, place: string | undefined, body: object): void {
    const { waiverId, waiverFieldValues } = Object(body);
    const key = `${uuid}/${place ?? ''}`;
    if (waiverId !== undefined) this.#filled.set(key, answersOf(waiverFieldValues));
    else if (place !== undefined) this.#filled.delete(key);
  }

  /** Adds the capability's fields to a booking. */
  show(booking: OctoBooking): OctoBooking {
    const unitItems = booking.unitItems.map((item) => ({
      ...item,
      waiversComplete: this.#isComplete(booking, item.uuid),
    }));
    const isPerUnit = this.#products.get(booking.productId)?.waiverPer === 'UNIT';
    const isComplete = isPerUnit
      ? unitItems.every(({ waiversComplete }) => waiversComplete)
      : this.#isComplete(booking, '');
    return { ...booking, unitItems, waiversComplete: isComplete };
  }

  #isComplete({ uuid, productId }: OctoBooking, place: string): boolean {
    const answers = this.#filled.get(`${uuid}/${place}`);
    const fields = this.#products.get(productId)?.waivers?.[0]?.fields ?? [];
    return fields.every(({ id, required }) => !required || answers?.has(id));
  }
}
