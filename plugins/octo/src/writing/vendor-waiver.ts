import type { BookingSystemHttp, Waiver } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { raiseForOcto } from '../answers.ts';

// Documented for the product's own address only; some systems put them into the booking too.
async function productOf(http: BookingSystemHttp, booking: kit.JsonObject): Promise<kit.JsonObject> {
  const [product, id] = [kit.objectOf(booking.product), kit.textOf(booking.productId)];
  if (Array.isArray(product.waivers) || id === undefined) return product;
  const response = await http.get(`products/${kit.percentEncode(id)}`);
  raiseForOcto(response);
  return kit.objectOf(response.data);
}

/**
 * Fills the waiver of the booked product (`octo/waivers`) with what the installation shares; `undefined` where it has
 * none, or no answer fits into it. `isPerUnit`: it belongs in the guest's unit item, not in the booking.
 */
export async function fillVendorWaiver(http: BookingSystemHttp, booking: kit.JsonObject, waiver: Waiver) {
  const product = await productOf(http, booking);
  const [asked] = kit.objectsIn(product.waivers);
  const fields = kit.objectsIn(asked?.fields).map(({ id, internalName, required, inputType }) => ({
    id,
    // A signature is a drawing; no answer is one.
    label: inputType === 'signature' ? 'signature (drawn)' : String(internalName ?? ''),
    isRequired: required === true,
  }));
  const { values, missing } = kit.fillFields(waiver, fields);
  if (asked === undefined || (values.length === 0 && fields.length > 0)) return undefined;
  const waiverFieldValues = values.map(({ id: fieldId, value }) => ({ fieldId, value }));
  const body = { waiverId: asked.id, waiverFieldValues };
  return { isPerUnit: product.waiverPer !== 'BOOKING', body, missing };
}
