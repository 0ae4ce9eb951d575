import type { SignedDocument, Waiver } from '@waiver-service/core';
import {
  answerForField,
  definedFields,
  isJsonObject,
  type JsonObject,
  objectOf,
  objectsIn,
  Reading,
  textOf,
} from '@waiver-service/plugin-kit';
import { personOf, type UnitItem, unitItemsOf } from '../read/unit-items.ts';

/** The shared answers for a contact, by OCTO's field names. */
export type SharedContact = Readonly<Record<string, string>>;

export function sharedContact(waiver: Waiver): SharedContact {
  return definedFields({
    fullName: answerForField(waiver, 'name'),
    emailAddress: answerForField(waiver, 'email'),
    phoneNumber: answerForField(waiver, 'phoneNumber'),
  });
}

const textFields = ['fullName', 'firstName', 'lastName', 'emailAddress', 'phoneNumber'];

const withFullName = (contact: unknown): JsonObject => ({
  ...objectOf(contact),
  fullName: personOf(contact).name,
});

/**
 * The names of the wanted fields that a contact lacks, or that differ. `null` equals an empty text, and a full name
 * equals the same name split into first and last name.
 */
export function differences(contact: unknown, wanted: JsonObject): string[] {
  const actual = withFullName(contact);
  const expected = withFullName(wanted);
  return textFields.filter((name) => name in wanted && textOf(actual[name]) !== textOf(expected[name]));
}

/** A guest's contact, updated with the shared answers; `undefined` if it already has all of them. */
export function newContact(contact: unknown, shared: SharedContact): JsonObject | undefined {
  const changed = differences(contact, shared);
  if (changed.length === 0) return undefined;
  // The old first and last name would contradict the new full name.
  const formerNames = changed.includes('fullName') ? { firstName: null, lastName: null } : {};
  const answers = Object.fromEntries(changed.map((name) => [name, shared[name]]));
  return { ...objectOf(contact), ...formerNames, ...answers };
}

/** Whether a booking or unit item shows that the vendor's own waiver has a file: responses contain only its URL. */
export const showsFile = ({ waiverFileUrl }: JsonObject): boolean => textOf(waiverFileUrl) !== undefined;

/** The signed document as the API takes a file; `undefined` if there is none. */
export async function waiverFileOf(document: SignedDocument): Promise<string | undefined> {
  const pdf = await document();
  return pdf && `data:application/pdf;base64,${Buffer.from(pdf).toString('base64')}`;
}

/** Why the list of unit items cannot be sent without losing data; `undefined` if it can. */
export function reasonNotToSend(items: readonly UnitItem[]): string | undefined {
  for (const { id, value, path } of items) {
    if (id === undefined) {
      return `${path} has no uuid, and the booking system removes what a change leaves out`;
    }
    if (objectsIn(value.extraItems).length > 0) return `${path} has extras that a change could remove`;
  }
  return undefined;
}

/** A unit item's vendor waiver, in the form for a PATCH; empty if the item does not show its answers. */
function filledWaiver({ waiverId, waiverFieldValues }: JsonObject): JsonObject {
  if (textOf(waiverId) === undefined || !Array.isArray(waiverFieldValues)) return {};
  const answers = objectsIn(waiverFieldValues).map(({ fieldId, value }) => ({ fieldId, value }));
  return { waiverId, waiverFieldValues: answers };
}

/**
 * Why the list of unit items should not be sent without news for a vendor's own waiver; `undefined` if it may. A signed
 * waiver whose answers are not shown cannot be sent again, nor can a file, so a system may drop them.
 */
export function reasonToSpareWaivers(items: readonly UnitItem[]): string | undefined {
  const signed = items.find(
    ({ value }) =>
      showsFile(value) || (value.waiversComplete === true && !('waiverId' in filledWaiver(value))),
  );
  return signed && `${signed.path} has a complete waiver of the vendor’s that a change could remove`;
}

/** A unit item in the form for a PATCH, including everything that an omission might remove. */
function unchanged({ value }: UnitItem): JsonObject {
  const { uuid, unitId, resellerReference, contact } = value;
  const questionAnswers = objectsIn(value.questionAnswers).map((answer) => ({
    questionId: answer.questionId,
    value: answer.value,
  }));
  return {
    uuid,
    unitId,
    ...(typeof resellerReference === 'string' ? { resellerReference } : {}),
    ...(isJsonObject(contact) ? { contact } : {}),
    ...(questionAnswers.length > 0 ? { questionAnswers } : {}),
    ...filledWaiver(value),
  };
}

/**
 * The complete list of unit items for a PATCH, including cancelled ones, because OCTO removes unit items that a PATCH
 * omits. `changes` apply to the item with `id`; all others stay unchanged.
 */
export function completeUnitItems(
  items: readonly UnitItem[],
  id: string | undefined,
  changes: JsonObject,
): readonly JsonObject[] {
  return items.map((item) => (item.id === id ? { ...unchanged(item), ...changes } : unchanged(item)));
}

/** Whether any text of a contact was removed or changed. */
function hasLostContact(before: unknown, after: unknown): boolean {
  const texts = Object.entries(objectOf(before)).filter(([, value]) => textOf(value) !== undefined);
  return differences(after, Object.fromEntries(texts)).length > 0;
}

/** The codes of a unit item's ticket, without its URLs, which may differ in every response. */
const ticketCodesOf = ({ ticket }: JsonObject): string =>
  objectsIn(objectOf(ticket).deliveryOptions)
    .filter(({ deliveryFormat }) => !String(deliveryFormat).endsWith('_URL'))
    .map(({ deliveryFormat, deliveryValue }) => JSON.stringify([deliveryFormat, deliveryValue]))
    .toSorted()
    .join();

/** Whether a unit item's ticket has changed. */
const isReissued = (former: JsonObject, now: JsonObject): boolean =>
  (typeof former.supplierReference === 'string' && former.supplierReference !== now.supplierReference) ||
  ticketCodesOf(former) !== ticketCodesOf(now);

/** The unintended changes to the unit items; `guestId`: the item whose contact was meant to change. */
export function sideEffects(
  before: readonly UnitItem[],
  listAfter: unknown,
  guestId: string | undefined,
): { readonly hasReissuedTickets: boolean; readonly effects: readonly string[] } {
  const after = new Map(unitItemsOf(new Reading(), listAfter).map(({ id, value }) => [id, value]));
  /** How many of the remaining unit items have changed. */
  const countOf = (hasChanged: (former: JsonObject, now: JsonObject, id: string | undefined) => boolean) =>
    before.filter(({ id, value }) => {
      const now = after.get(id);
      return now !== undefined && hasChanged(value, now, id);
    }).length;
  const hasOtherReference = (former: JsonObject, now: JsonObject) =>
    typeof former.resellerReference === 'string' && former.resellerReference !== now.resellerReference;
  const lost = before.filter(({ id }) => !after.has(id)).length;
  const emptied = countOf((former, now) => former.waiversComplete === true && now.waiversComplete === false);
  const files = countOf((former, now) => showsFile(former) && !showsFile(now));
  const contacts = countOf(
    (former, now, id) => id !== guestId && hasLostContact(former.contact, now.contact),
  );
  const effects: string[] = [];
  if (lost > 0) effects.push(`${lost} unit items are gone from the booking: look at it there`);
  const reissued = countOf(isReissued);
  if (reissued > 0) {
    effects.push(
      `the booking system reissued the tickets of ${reissued} unit items: guests need the new ones; unit items are not changed again until an operator allows it`,
    );
  }
  if (countOf(hasOtherReference) > 0) {
    effects.push('the reseller’s references of unit items have changed');
  }
  if (emptied > 0) {
    effects.push(
      `the vendor’s own waivers of ${emptied} unit items are complete no more: look at them there`,
    );
  }
  if (files > 0) {
    effects.push(`the signed documents of ${files} unit items are not shown any more: look at them there`);
  }
  if (contacts > 0) {
    effects.push(`the contacts of ${contacts} other unit items have changed: look at them there`);
  }
  return { hasReissuedTickets: reissued > 0, effects };
}
