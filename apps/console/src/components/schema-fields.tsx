import { ChoiceField, TextField } from './field.tsx';
import { type Draft, isRequired, propertiesOf, typeOf } from './schema.ts';

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
