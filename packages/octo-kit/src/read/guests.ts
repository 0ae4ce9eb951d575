import type { Guest } from '@waiver-service/core';
import {
  definedFields,
  isCopyOf,
  type JsonObject,
  objectOf,
  objectsIn,
  type Person,
  textOf,
  vendorPerson,
} from '@waiver-service/plugin-kit';
import { type Units, unitOf } from './product.ts';
import type { UnitItem } from './unit-items.ts';

/** The person described by an OCTO contact. */
export const personOf = (contact: unknown): Person =>
  vendorPerson({ ...objectOf(contact), email: objectOf(contact).emailAddress });

/** `adult`, `child`, or the vendor's own type: YOUTH, SENIOR, FAMILY and others. */
function participantTypeOf({ type }: JsonObject): string | undefined {
  const word = textOf(type);
  return word === 'ADULT' || word === 'CHILD' ? word.toLowerCase() : word;
}

/** A guest's answers to the vendor's questions (`octo/questions`), by label. */
function answersOf(questionAnswers: unknown): JsonObject {
  const answers = new Map<string, string>();
  for (const { question, questionId, value } of objectsIn(questionAnswers)) {
    const label = textOf(objectOf(question).label) ?? textOf(questionId);
    const answer = textOf(value);
    if (label !== undefined && answer !== undefined) answers.set(label, answer);
  }
  return Object.fromEntries(answers);
}

/** The names of a guest's extras (`octo/extras`). */
function extrasOf(extraItems: unknown): readonly string[] | undefined {
  const names = objectsIn(extraItems)
    .map(({ extra, extraId }) => {
      const { title, internalName } = objectOf(extra);
      return textOf(title) ?? textOf(internalName) ?? textOf(extraId);
    })
    .filter((name) => name !== undefined);
  return names.length > 0 ? names : undefined;
}

/** The properties of a contact besides name, email and phone number. */
function contactDetailsOf(contact: unknown): JsonObject {
  const { country, postalCode, notes, locales } = objectOf(contact);
  const languages = Array.isArray(locales) ? locales.filter((locale) => typeof locale === 'string') : [];
  return {
    ...definedFields({ country: textOf(country), postalCode: textOf(postalCode), notes: textOf(notes) }),
    ...(languages.length > 0 ? { locales: languages } : {}),
  };
}

/**
 * The guests of a booking. If several unit items have the booker's contact, it was copied, and those guests remain
 * unnamed; a single unit item with the booker's contact is the booker.
 */
export function readGuests(items: readonly UnitItem[], units: Units, booker: Person): Guest[] {
  const hasBookersContact = ({ value }: UnitItem) => {
    const person = personOf(value.contact);
    return person.name !== undefined && isCopyOf(person, booker);
  };
  const isCopied = items.filter(hasBookersContact).length > 1;
  return items.map((item) => {
    const { contact, unitId, questionAnswers, extraItems, waiversComplete } = item.value;
    const isOwnContact = !isCopied || !hasBookersContact(item);
    return {
      ...answersOf(questionAnswers),
      ...(isOwnContact ? contactDetailsOf(contact) : {}),
      participantType: participantTypeOf(unitOf(item, units)),
      unitId: textOf(unitId),
      extras: extrasOf(extraItems),
      waiversComplete,
      ...(isOwnContact ? personOf(contact) : {}),
      id: item.id,
    };
  });
}
