import type { BookingSystemHttp, Waiver } from '@waiver-service/core';
import { fillFields, type JsonObject, objectOf, objectsIn, textOf } from '@waiver-service/plugin-kit';
import { requestProduct } from '../read/product.ts';

/** The vendor's own waiver (`octo/waivers`), filled in with shared answers. */
export interface VendorWaiver {
  /** Whether it belongs to the guest's unit item rather than to the booking. */
  readonly isPerUnit: boolean;
  /** `undefined` if no shared answer fits any of its fields. */
  readonly body: JsonObject | undefined;
  /** The labels of required fields without an answer. */
  readonly missing: readonly string[];
}

// Waivers are documented only for the product endpoint; some systems include them in the booking, too.
async function productWithWaivers(http: BookingSystemHttp, booking: JsonObject): Promise<JsonObject> {
  const included = objectOf(booking.product);
  const id = textOf(booking.productId);
  if (Array.isArray(included.waivers) || id === undefined) return included;
  return (await requestProduct(http, id)) ?? included;
}

/** Fills in the booked product's waiver with the shared answers; `undefined` if the product has no waiver. */
export async function fillVendorWaiver(
  http: BookingSystemHttp,
  booking: JsonObject,
  waiver: Waiver,
): Promise<VendorWaiver | undefined> {
  const product = await productWithWaivers(http, booking);
  const [form] = objectsIn(product.waivers);
  if (form === undefined) return undefined;
  const fields = objectsIn(form.fields).map(({ id, internalName, required, inputType }) => ({
    id,
    // A signature is a drawing, which no answer can replace.
    label: inputType === 'signature' ? 'signature (drawn)' : (textOf(internalName) ?? ''),
    isRequired: required === true,
  }));
  const { values, missing } = fillFields(waiver, fields);
  const hasAnswer = values.length > 0 || fields.length === 0;
  const waiverFieldValues = values.map(({ id, value }) => ({ fieldId: id, value }));
  return {
    isPerUnit: product.waiverPer !== 'BOOKING',
    body: hasAnswer ? { waiverId: form.id, waiverFieldValues } : undefined,
    missing,
  };
}
