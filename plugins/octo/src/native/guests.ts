import type { Guest } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import type { Units } from './product.ts';
import type { UnitItem } from './unit-items.ts';

export const personOf = (contact: unknown): kit.Person =>
  kit.vendorPerson({ ...kit.objectOf(contact), email: kit.objectOf(contact).emailAddress });

/** The unit of a unit item: included in it, or taken from the product. */
export const unitOf = ({ value }: UnitItem, units: Units): kit.JsonObject =>
  kit.isJsonObject(value.unit) ? value.unit : kit.objectOf(units.get(value.unitId));

/** `adult`, `child`, or the vendor's own type: YOUTH, SENIOR, FAMILY and others. */
function participantTypeOf({ type }: kit.JsonObject): string | undefined {
  const word = kit.textOf(type);
  return word === 'ADULT' || word === 'CHILD' ? word.toLowerCase() : word;
}

/** A guest's answers to the vendor's questions (`octo/questions`), by label. */
function answersOf(questionAnswers: unknown): kit.JsonObject {
  const answers = kit.objectsIn(questionAnswers).flatMap(({ question, questionId, value }) => {
    const label = kit.textOf(kit.objectOf(question).label) ?? kit.textOf(questionId);
    const answer = kit.textOf(value);
    return label === undefined || answer === undefined ? [] : [[label, answer] as const];
  });
  return Object.fromEntries(answers);
}

/** The names of a guest's extras (`octo/extras`). */
function extrasOf(extraItems: unknown): readonly string[] | undefined {
  const names = kit.objectsIn(extraItems).flatMap(({ extra, extraId }) => {
    const { title, internalName } = kit.objectOf(extra);
    return kit.textOf(title) ?? kit.textOf(internalName) ?? kit.textOf(extraId) ?? [];
  });
  return names.length > 0 ? names : undefined;
}

function furtherContactOf({ country, postalCode, notes, locales }: kit.JsonObject): kit.JsonObject {
  const languages = Array.isArray(locales) ? locales.filter((locale) => typeof locale === 'string') : [];
  return {
    ...kit.definedFields({
      country: kit.textOf(country),
      postalCode: kit.textOf(postalCode),
      notes: kit.textOf(notes),
    }),
    ...(languages.length > 0 && { locales: languages }),
  };
}

/**
 * The guests of a booking. If several unit items have the booker's contact, it was copied, and those guests stay without
 * a name; a single unit item with the booker's contact is the booker.
 */
export function readGuests(items: readonly UnitItem[], units: Units, booker: kit.Person): Guest[] {
  const isCopy = ({ value }: UnitItem) => {
    const person = personOf(value.contact);
    return person.name !== undefined && kit.isCopyOf(person, booker);
  };
  const isCopied = items.filter(isCopy).length > 1;
  return items.map((item) => {
    const { contact, unitId, questionAnswers, extraItems, waiversComplete } = item.value;
    const isOwn = !isCopied || !isCopy(item);
    return {
      ...answersOf(questionAnswers),
      ...(isOwn && furtherContactOf(kit.objectOf(contact))),
      participantType: participantTypeOf(unitOf(item, units)),
      unitId: kit.textOf(unitId),
      extras: extrasOf(extraItems),
      waiversComplete,
      ...(isOwn && personOf(contact)),
      id: item.id,
    };
  });
}
