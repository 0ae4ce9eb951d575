import { type JsonObject, objectOf, objectsIn, textOf } from '@waiver-service/plugin-kit';

function isField({ custom_field: field, name }: JsonObject, wanted: string): boolean {
  return [objectOf(field).pk, objectOf(field).name, name].some(
    (one) => textOf(one)?.toLowerCase() === wanted.toLowerCase(),
  );
}

/** The answer in the custom field with a name or `pk`. */
export function answerOf(values: unknown, wanted: string): string | undefined {
  return objectsIn(values)
    .filter((value) => isField(value, wanted))
    .map(({ value, display_value }) => textOf(value) ?? textOf(display_value))
    .find((answer) => answer !== undefined);
}

/**
 * The answered custom fields by name, with the values that FareHarbor displays: `Yes`, the name of an option. Fields with
 * one of `reservedNames` are omitted, since they would be mistaken for the field of a booking or guest with that name.
 */
export function readCustomFields(
  values: unknown,
  reservedNames: ReadonlySet<string>,
): Record<string, string> {
  const answers = new Map<string, string>();
  for (const value of objectsIn(values)) {
    const name = textOf(value.name) ?? textOf(objectOf(value.custom_field).name);
    const answer = textOf(value.display_value) ?? textOf(value.value);
    if (name === undefined || answer === undefined || reservedNames.has(name)) continue;
    if (!answers.has(name)) answers.set(name, answer);
  }
  return Object.fromEntries(answers);
}
