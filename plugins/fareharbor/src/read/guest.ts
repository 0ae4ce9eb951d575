import type { Guest } from '@waiver-service/core';
import { definedFields, objectOf, participantTypeOf, textOf } from '@waiver-service/plugin-kit';
import { answerOf, readCustomFields } from './custom-fields.ts';

/** The company's own name for the customer type. */
function customerTypeOf(rate: unknown): string | undefined {
  const { customer_type: type, customer_prototype: prototype } = objectOf(rate);
  return textOf(objectOf(type).singular) ?? textOf(objectOf(prototype).display_name);
}

const reservedNames = new Set(['id', 'guestId', 'name', 'participantType']);

/** Reads a customer as a guest. Customers have names only if the company has a custom field for them. */
export function readGuest(customer: unknown, nameField?: string): Guest {
  const { pk, customer_type_rate: rate, custom_field_values: values } = objectOf(customer);
  return {
    ...readCustomFields(values, reservedNames),
    ...definedFields({
      id: textOf(pk),
      name: nameField === undefined ? undefined : answerOf(values, nameField),
      participantType: participantTypeOf(customerTypeOf(rate)),
    }),
  };
}
