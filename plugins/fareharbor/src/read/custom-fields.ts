import { type JsonObject, objectOf, objectsIn, textOf, textsByLabel } from '@waiver-service/plugin-kit';

function isField({ custom_field: field, name }: JsonObject, wanted: string): boolean {
  return [objectOf(field).pk, objectOf(field).name, name].some(
    (one) => textOf(one)?.toLowerCase() === wanted.toLowerCase(),
  );
}

// The value of an option is its `pk`, which says nothing.
const answerIn = ({ custom_field: field, value, display_value }: JsonObject) =>
  (objectOf(field).type === 'extended-option' ? undefined : textOf(value)) ?? textOf(display_value);

/** The answer in the custom field with this name or `pk`; of an option, its name. */
export function answerOf(values: unknown, wanted: string): string | undefined {
  return objectsIn(values)
    .filter((value) => isField(value, wanted))
    .map(answerIn)
    .find((answer) => answer !== undefined);
}

/**
 * The answered custom fields by name, with the values that FareHarbor displays: `Yes`, the name of an option. Omits
 * fields named in `reservedNames`, which would be mistaken for a booking's or guest's field of that name.
 */
export function readCustomFields(
  values: unknown,
  reservedNames: ReadonlySet<string>,
): Record<string, string> {
  const answers = objectsIn(values).map(
    (value) =>
      [
        textOf(value.name) ?? textOf(objectOf(value.custom_field).name),
        textOf(value.display_value) ?? textOf(value.value),
      ] as const,
  );
  return textsByLabel(answers.filter(([name = '']) => !reservedNames.has(name)));
}
