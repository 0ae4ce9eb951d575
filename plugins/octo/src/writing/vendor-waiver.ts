import type { BookingSystemHttp, Waiver } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { requestProduct } from '../native/product.ts';

/** The vendor's own waiver (`octo/waivers`), filled with shared answers. */
export interface VendorWaiver {
  /** Whether it belongs in the guest's unit item rather than in the booking. */
  readonly isPerUnit: boolean;
  /** `undefined` if no shared answer fits any of its fields. */
  readonly body: kit.JsonObject | undefined;
  /** The labels of its required fields that have no answer. */
  readonly missing: readonly string[];
}

// Waivers are documented for the product endpoint only; some systems include them in the booking too.
async function productOf(http: BookingSystemHttp, booking: kit.JsonObject): Promise<kit.JsonObject> {
  const product = kit.objectOf(booking.product);
  const id = kit.textOf(booking.productId);
  if (Array.isArray(product.waivers) || id === undefined) return product;
  return (await requestProduct(http, id)) ?? product;
}

/** Fills the waiver of the booked product with the shared answers; `undefined` if the product has no waiver. */
export async function fillVendorWaiver(
  http: BookingSystemHttp,
  booking: kit.JsonObject,
  waiver: Waiver,
): Promise<VendorWaiver | undefined> {
  const product = await productOf(http, booking);
  const [form] = kit.objectsIn(product.waivers);
  if (form === undefined) return undefined;
  const fields = kit.objectsIn(form.fields).map(({ id, internalName, required, inputType }) => ({
    id,
    // A signature is a drawing, which no answer can fill.
    label: inputType === 'signature' ? 'signature (drawn)' : String(internalName ?? ''),
    isRequired: required === true,
  }));
  const { values, missing } = kit.fillFields(waiver, fields);
  const isFilled = values.length > 0 || fields.length === 0;
  const waiverFieldValues = values.map(({ id: fieldId, value }) => ({ fieldId, value }));
  const body = isFilled ? { waiverId: form.id, waiverFieldValues } : undefined;
  return { isPerUnit: product.waiverPer !== 'BOOKING', body, missing };
}
