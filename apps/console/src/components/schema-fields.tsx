import { ChoiceField, TextField, wordsOf } from './field.tsx';

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
const typeOf = ({ type, anyOf }: PropertySchema) => type ?? anyOf?.[0]?.type ?? 'string';

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

const isSecret = (name: string) => /key|secret|token|password/i.test(name);

interface SchemaFieldsProps {
  readonly schema: unknown;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly errorOf: (name: string) => string | undefined;
  /** Fields whose stored value is not shown; left empty, they keep it. */
  readonly alreadySet?: readonly string[];
}

/** A field for each property of a plugin's schema, hinted with its description. */
export function SchemaFields({ schema, draft, onChange, errorOf, alreadySet = [] }: SchemaFieldsProps) {
  return propertiesOf(schema).map(([name, property]) => {
    const value = draft[name] ?? '';
    const change = (changed: string) => onChange({ ...draft, [name]: changed });
    const isSet = alreadySet.includes(name);
    const hint = [property.description, isSet ? 'Already set. Leave empty to keep it.' : undefined]
      .filter(Boolean)
      .join(' ');
    const choices = typeOf(property) === 'boolean' ? ['true', 'false'] : property.enum?.map(String);
    if (choices !== undefined) {
      return (
        <ChoiceField
          key={name}
          label={name}
          hint={hint}
          value={value}
          choices={[['', 'Default'], ...choices.map((one) => [one, one] as const)]}
          onChange={change}
        />
      );
    }
    return (
      <TextField
        key={name}
        label={name}
        hint={hint}
        error={errorOf(name)}
        type={isSecret(name) ? 'password' : 'text'}
        autoComplete="off"
        placeholder={property.default === undefined ? undefined : String(property.default)}
        required={isRequired(schema, name) && !isSet}
        value={value}
        onChange={change}
      />
    );
  });
}
