import { type JsonObject, objectOf, objectsIn, textOf } from '@waiver-service/plugin-kit';

function isField({ custom_field: field, name }: JsonObject, wanted: string): boolean {
  return [objectOf(field).pk, objectOf(field).name, name].some(
    (one) => textOf(one)?.toLowerCase() === wanted.toLowerCase(),
  );
}

/** What was answered in the field of a name or a `pk`; `undefined` where nothing was. */
export function answerOf(values: unknown, wanted: string): string | undefined {
  return objectsIn(values)
    .filter((value) => isField(value, wanted))
    .map(({ value, display_value }) => textOf(value) ?? textOf(display_value))
    .find((answer) => answer !== undefined);
}

/**
 * The custom fields that were answered, by their names, as FareHarbor shows them: `Yes`, the name of an option. A field
 * that only happens to have one of `reservedNames` is left out, since it would be taken for what that name means.
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
