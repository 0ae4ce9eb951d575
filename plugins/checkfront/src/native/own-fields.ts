import { definedFields, type JsonObject, objectOf, textOf } from '@waiver-service/plugin-kit';

/** The account's own fields of a booking, by Checkfront's names for where they stand; without the customer's. */
export function readOwnFields({ fields, meta }: JsonObject): Record<string, unknown> {
  const groups = Object.entries({ fields, meta }).map(([name, group]) => {
    const texts = Object.entries(objectOf(group))
      .filter(([field]) => !field.startsWith('customer_'))
      .map(([field, value]) => [field, textOf(value)]);
    return [name, definedFields(Object.fromEntries(texts))] as const;
  });
  return Object.fromEntries(groups.filter(([, group]) => Object.keys(group).length > 0));
}
