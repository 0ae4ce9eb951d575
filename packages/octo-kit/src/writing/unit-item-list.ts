import { isJsonObject, type JsonObject, objectsIn, Reading } from '@waiver-service/plugin-kit';
import { type UnitItem, unitItemsOf } from '../native/unit-items.ts';

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

/** A unit item as a PATCH takes it, with all that an omission might remove: reference, contact, answers. */
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
  };
}

/**
 * The complete list of unit items for a PATCH, including cancelled ones, since OCTO removes the unit items that a PATCH
 * omits. `changes` apply to the item with `id`; all others stay as they are.
 */
export function completeUnitItems(
  items: readonly UnitItem[],
  id: string | undefined,
  changes: JsonObject,
): readonly JsonObject[] {
  return items.map((item) => (item.id === id ? { ...unchanged(item), ...changes } : unchanged(item)));
}

/** Descriptions of unintended changes to the unit items. */
export function sideEffects(before: readonly UnitItem[], listAfter: unknown): string[] {
  const after = new Map(unitItemsOf(new Reading(), listAfter).map(({ id, value }) => [id, value]));
  const lost = before.filter(({ id }) => !after.has(id)).length;
  const hasChanged = (name: string) =>
    before.some(({ id, value }) => {
      const now = after.get(id);
      return now !== undefined && typeof value[name] === 'string' && value[name] !== now[name];
    });
  const effects: string[] = [];
  if (lost > 0) effects.push(`${lost} unit items are gone from the booking: look at it there`);
  if (hasChanged('supplierReference')) {
    effects.push('the booking system issued the tickets of all unit items anew: guests need the new ones');
  }
  if (hasChanged('resellerReference')) {
    effects.push('the reseller’s references of unit items have changed');
  }
  return effects;
}
