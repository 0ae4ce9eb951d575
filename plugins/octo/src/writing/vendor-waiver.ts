import type { BookingSystemHttp, Waiver } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { askForProduct } from '../native/product.ts';

/** The vendor's own waiver (`octo/waivers`), as far as shared answers fill it. */
export interface VendorWaiver {
  /** It belongs in the guest's unit item, not in the booking. */
  readonly isPerUnit: boolean;
  /** What is sent; `undefined` where no shared answer fits into it. */
  readonly body: kit.JsonObject | undefined;
  /** The labels of its required fields that stay empty. */
  readonly missing: readonly string[];
}

// Documented for the product's own address only; some systems put them into the booking too.
async function productOf(http: BookingSystemHttp, booking: kit.JsonObject): Promise<kit.JsonObject> {
  const [product, id] = [kit.objectOf(booking.product), kit.textOf(booking.productId)];
  if (Array.isArray(product.waivers) || id === undefined) return product;
  return (await askForProduct(http, id)) ?? product;
}

/** Fills the waiver of the booked product with what the installation shares; `undefined` where it has none. */
export async function fillVendorWaiver(
  http: BookingSystemHttp,
  booking: kit.JsonObject,
  waiver: Waiver,
): Promise<VendorWaiver | undefined> {
  const product = await productOf(http, booking);
  const [asked] = kit.objectsIn(product.waivers);
  if (asked === undefined) return undefined;
  const fields = kit.objectsIn(asked.fields).map(({ id, internalName, required, inputType }) => ({
    id,
    // A signature is a drawing; no answer is one.
    label: inputType === 'signature' ? 'signature (drawn)' : String(internalName ?? ''),
    isRequired: required === true,
  }));
  const { values, missing } = kit.fillFields(waiver, fields);
  const isFilled = values.length > 0 || fields.length === 0;
  const waiverFieldValues = values.map(({ id: fieldId, value }) => ({ fieldId, value }));
  const body = isFilled ? { waiverId: asked.id, waiverFieldValues } : undefined;
  return { isPerUnit: product.waiverPer !== 'BOOKING', body, missing };
}
