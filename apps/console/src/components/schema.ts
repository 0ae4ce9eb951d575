import { wordsOf } from './field.tsx';

/** The part of JSON Schema that plugins' settings use. */
interface PropertySchema {
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly anyOf?: readonly PropertySchema[] | undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

export function propertiesOf(schema: unknown): readonly (readonly [string, PropertySchema])[] {
  if (!isObject(schema) || !isObject(schema.properties)) return [];
  return Object.entries(schema.properties).map(([name, property]) => [
    name,
    isObject(property) ? property : {},
  ]);
}

export const isRequired = (schema: unknown, name: string): boolean =>
  isObject(schema) && Array.isArray(schema.required) && schema.required.includes(name);

/** A property's JSON type; `string` if the schema names none. */
export const typeOf = ({ type, anyOf }: PropertySchema) => type ?? anyOf?.[0]?.type ?? 'string';

export type Draft = Readonly<Record<string, string>>;

/** The typed strings, converted to the schema's types; empty fields are omitted. */
export const valuesOf = (schema: unknown, draft: Draft): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    propertiesOf(schema).flatMap(([name, property]) => {
      const typed = draft[name] ?? '';
      return typed === '' ? [] : [[name, typedValue(property, typed)] as const];
    }),
  );

function typedValue(property: PropertySchema, typed: string): unknown {
  const type = typeOf(property);
  if (type === 'boolean') return typed === 'true';
  if ((type === 'number' || type === 'integer') && typed.trim() !== '') return Number(typed);
  if (type === 'array') return wordsOf(typed);
  return typed;
}
