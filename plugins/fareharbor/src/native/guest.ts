import type { Guest } from '@waiver-service/core';
import { definedFields, objectOf, textOf } from '@waiver-service/plugin-kit';
import { answerOf, readCustomFields } from './custom-fields.ts';

/** `adult`, `child`, or the company's own word: companies sell to divers, or by the hour. */
function participantTypeOf(rate: unknown): string | undefined {
  const { customer_type: type, customer_prototype: prototype } = objectOf(rate);
  const word = textOf(objectOf(type).singular) ?? textOf(objectOf(prototype).display_name);
  if (word !== undefined && /^adults?$/i.test(word)) return 'adult';
  return word !== undefined && /^(child|children)$/i.test(word) ? 'child' : word;
}

const reservedNames = new Set(['id', 'guestId', 'name', 'participantType']);

/** A customer as a guest. FareHarbor knows no names of customers but by a custom field that a company may have. */
export function readGuest(customer: unknown, nameField?: string): Guest {
  const { pk, customer_type_rate: rate, custom_field_values: values } = objectOf(customer);
  return {
    ...readCustomFields(values, reservedNames),
    ...definedFields({
      id: textOf(pk),
      name: nameField === undefined ? undefined : answerOf(values, nameField),
      participantType: participantTypeOf(rate),
    }),
  };
}
