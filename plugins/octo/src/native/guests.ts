import type { Guest } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import type { Units } from './product.ts';
import type { UnitItem } from './unit-items.ts';

/** The person that a contact names. */
export const personOf = (contact: unknown): kit.Person =>
  kit.vendorPerson({ ...kit.objectOf(contact), email: kit.objectOf(contact).emailAddress });

/** The unit of a unit item: its own, or the product's. */
export const unitOf = ({ value }: UnitItem, units: Units): kit.JsonObject =>
  kit.isJsonObject(value.unit) ? value.unit : kit.objectOf(units.get(value.unitId));

/** `adult` or `child`, or the vendor's word: YOUTH, SENIOR, FAMILY and others. */
function participantTypeOf({ type }: kit.JsonObject): string | undefined {
  const word = kit.textOf(type);
  return word === 'ADULT' || word === 'CHILD' ? word.toLowerCase() : word;
}

/** What a guest answered to the system's own questions (`octo/questions`), under their labels. */
function answersOf(questionAnswers: unknown): kit.JsonObject {
  const answers = kit.objectsIn(questionAnswers).flatMap(({ question, questionId, value }) => {
    const label = kit.textOf(kit.objectOf(question).label) ?? kit.textOf(questionId);
    const answer = kit.textOf(value);
    return label === undefined || answer === undefined ? [] : [[label, answer] as const];
  });
  return Object.fromEntries(answers);
}

/** The names of the extras that were bought for a guest (`octo/extras`). */
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
 * The guests of a booking. A contact names the guest, unless several unit items carry the booker's: then it was copied
 * and names nobody. A lead guest alone who is the booker keeps the name.
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
