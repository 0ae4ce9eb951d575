import * as kit from '@waiver-service/plugin-kit';
import { type UnitItem, unitItemsOf } from '../native/unit-items.ts';

/** Why the list of unit items cannot be sent without losing data; `undefined` if it can. */
export function reasonNotToSend(items: readonly UnitItem[]): string | undefined {
  for (const { id, value, path } of items) {
    if (id === undefined)
      return `${path} has no uuid, and the booking system removes what a change leaves out`;
    if (kit.objectsIn(value.extraItems).length > 0) return `${path} has extras that a change could remove`;
  }
  return undefined;
}

/** A guest's answers to the vendor's questions, which are sent along: an omitted answer might be removed. */
function answersIn({ questionAnswers }: kit.JsonObject): kit.JsonObject {
  const answers = kit.objectsIn(questionAnswers).map(({ questionId, value }) => ({ questionId, value }));
  return answers.length > 0 ? { questionAnswers: answers } : {};
}

/**
 * The complete list of unit items for a PATCH, including cancelled ones, since OCTO removes the unit items that a PATCH
 * omits. `changes` apply to the item with `id`; all others keep contact and reference.
 */
export function completeUnitItems(
  items: readonly UnitItem[],
  id: string | undefined,
  changes: kit.JsonObject,
) {
  return items.map((item) => {
    const { uuid, unitId, resellerReference, contact } = item.value;
    return {
      uuid,
      unitId,
      ...(typeof resellerReference === 'string' && { resellerReference }),
      ...(kit.isJsonObject(contact) && { contact }),
      ...answersIn(item.value),
      ...(item.id === id && changes),
    };
  });
}

/** Descriptions of unintended changes to the unit items. */
export function sideEffects(before: readonly UnitItem[], after: unknown): string[] {
  const kept = new Map(unitItemsOf(new kit.Reading(), after).map((item) => [item.id, item.value]));
  const found = before.flatMap(({ id, value }) => {
    const now = kept.get(id);
    return now === undefined ? [] : [{ value, now }];
  });
  const lost = before.length - found.length;
  const hasChanged = (name: string) =>
    found.some(({ value, now }) => typeof value[name] === 'string' && value[name] !== now[name]);
  return [
    ...(lost > 0 ? [`${lost} unit items are gone from the booking: look at it there`] : []),
    ...(hasChanged('supplierReference')
      ? ['the booking system issued the tickets of all unit items anew: guests need the new ones']
      : []),
    ...(hasChanged('resellerReference') ? ['the reseller’s references of unit items have changed'] : []),
  ];
}
