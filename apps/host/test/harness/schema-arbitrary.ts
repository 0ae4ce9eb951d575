import fc from 'fast-check';

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listAt = (schema: JsonObject, name: string): readonly unknown[] | undefined => {
  const list = schema[name];
  return Array.isArray(list) ? list : undefined;
};
const numberAt = (schema: JsonObject, name: string, otherwise: number): number => {
  const value = schema[name];
  return typeof value === 'number' ? value : otherwise;
};

/** Values that no schema asks for. */
const strange: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    2 ** 53,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '..',
    '%00',
    '\r\nX: y',
  ),
  fc.constantFrom(
    '__proto__',
    "'; drop table waiver; --",
    '9999-99-99T99:99:99Z',
    'http://[::1',
    'a'.repeat(5_000),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
);

const dateTime = fc
  .date({ min: new Date('1800-01-01'), max: new Date('2300-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** The values that a test knows to exist, by the name of the field: ids above all. */
export type KnownValues = (field: string) => readonly string[];

/**
 * Values by a JSON Schema of an OpenAPI document: mostly valid ones, at times something else at any place of them.
 *
 * @param known - values to use instead, most of the time
 */
export function valuesOf(document: JsonObject, schema: unknown, known: KnownValues): fc.Arbitrary<unknown> {
  const textOf = (part: JsonObject, field: string): fc.Arbitrary<unknown> => {
    if (part.format === 'date-time') return dateTime;
    if (part.format === 'email') return fc.emailAddress();
    if (part.format === 'uri') return fc.webUrl();
    const most = Math.min(numberAt(part, 'maxLength', 60), 300);
    const text = fc.string({ unit: 'grapheme', minLength: numberAt(part, 'minLength', 0), maxLength: most });
    const existing = known(field);
    return existing.length === 0
      ? text
      : fc.oneof({ arbitrary: fc.constantFrom(...existing), weight: 4 }, { arbitrary: text, weight: 1 });
  };

  const objectOf = (part: JsonObject, depth: number): fc.Arbitrary<unknown> => {
    const properties = isObject(part.properties) ? part.properties : {};
    const required = (listAt(part, 'required') ?? []).filter((name) => typeof name === 'string');
    const fields = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, arbitraryOf(property, name, depth + 1)]),
    );
    const object = fc.record(fields, {
      requiredKeys: required.filter((name) => Object.hasOwn(fields, name)),
    });
    if (!isObject(part.additionalProperties)) return object;
    const others = fc.dictionary(
      fc.string({ maxLength: 20 }),
      arbitraryOf(part.additionalProperties, '', depth + 1),
      { maxKeys: 5 },
    );
    return fc.tuple(others, object).map(([more, own]) => ({ ...more, ...own }));
  };

  const plainArbitraryOf = (part: JsonObject, field: string, depth: number): fc.Arbitrary<unknown> => {
    const reference = part.$ref;
    if (typeof reference === 'string') {
      const target = reference
        .slice(2)
        .split('/')
        .reduce<unknown>((inside, name) => (isObject(inside) ? inside[name] : undefined), document);
      return arbitraryOf(target, field, depth + 1);
    }
    if ('const' in part) return fc.constant(part.const);
    const choices = listAt(part, 'enum');
    if (choices !== undefined) return fc.constantFrom(...choices);
    const alternatives = listAt(part, 'anyOf') ?? listAt(part, 'oneOf');
    if (alternatives !== undefined)
      return fc.oneof(...alternatives.map((each) => arbitraryOf(each, field, depth + 1)));
    const parts = listAt(part, 'allOf');
    if (parts !== undefined) {
      return fc
        .tuple(...parts.map((each) => arbitraryOf(each, field, depth + 1)))
        .map((values) => Object.assign({}, ...values.filter(isObject)));
    }
    switch (part.type) {
      case 'string':
        return textOf(part, field);
      case 'integer':
        return fc.integer({
          min: numberAt(part, 'minimum', -1_000),
          max: Math.min(numberAt(part, 'maximum', 1_000_000), 2 ** 31 - 1),
        });
      case 'number':
        return fc.double({ noNaN: true, noDefaultInfinity: true });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array':
        return fc.array(arbitraryOf(part.items, field, depth + 1), {
          minLength: numberAt(part, 'minItems', 0),
          maxLength: Math.max(numberAt(part, 'minItems', 0), Math.min(numberAt(part, 'maxItems', 4), 4)),
        });
      case 'object':
        return objectOf(part, depth);
      default:
        return fc.jsonValue({ maxDepth: 2 });
    }
  };

  function arbitraryOf(part: unknown, field: string, depth: number): fc.Arbitrary<unknown> {
    if (!isObject(part) || depth > 12) return fc.jsonValue({ maxDepth: 1 });
    return fc.oneof(
      { arbitrary: plainArbitraryOf(part, field, depth), weight: 30 },
      { arbitrary: strange, weight: 1 },
    );
  }

  return arbitraryOf(schema, '', 0);
}
