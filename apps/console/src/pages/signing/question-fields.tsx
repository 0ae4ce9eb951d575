import {
  type AskItem,
  askKinds,
  formLimits,
  type Option,
  type Property,
  propertyKinds,
  type Text,
} from '@waiver-service/forms';
import { Button } from '../../components/button.tsx';
import {
  bind,
  CheckField,
  ChoiceField,
  choicesOf,
  LongTextField,
  NumberField,
  TextField,
} from '../../components/field.tsx';
import { fieldNames, formsTexts } from '../../text/english/forms.ts';
import { languageName } from '../../text/formats.ts';
import { AnswerList } from './condition-editor.tsx';
import { moved, newOption, withKind, withText } from './edit-content.ts';
import { Tool, useEditing } from './editing.tsx';
import styles from './forms.module.css';

interface TextFieldsProps {
  readonly label: string;
  readonly value: Text;
  readonly maxLength: number;
  readonly hint?: string;
  readonly isLong?: boolean;
  /** Whether the text may be missing in every language. */
  readonly isOptional?: boolean;
  readonly onChange: (text: Text) => void;
}

/** A text in each of the form's languages, side by side; missing ones are marked. */
export function TextFields({
  label,
  value: text,
  hint,
  isLong,
  isOptional,
  maxLength,
  onChange,
}: TextFieldsProps) {
  const { languages } = useEditing().content;
  const isNeeded = isOptional !== true || Object.keys(text).length > 0;
  const Control = isLong === true ? LongTextField : TextField;
  return (
    <div className={styles.languages}>
      {languages.map((language, index) => {
        const value = Object.hasOwn(text, language) ? (text[language] ?? '') : '';
        return (
          <Control
            key={language}
            label={languages.length === 1 ? label : `${label} · ${languageName(language)}`}
            hint={index === 0 ? hint : undefined}
            error={isNeeded && value.trim() === '' ? formsTexts.missing : undefined}
            lang={language}
            dir="auto"
            maxLength={maxLength}
            value={value}
            onChange={(written) => onChange(withText(text, language, written))}
          />
        );
      })}
    </div>
  );
}

interface QuestionFieldsProps {
  readonly item: AskItem;
  readonly onChange: (item: AskItem) => void;
}

const isProperty = (name: string): name is Property => Object.hasOwn(propertyKinds, name);
const kindsOf = (property: Property): readonly AskItem['kind'][] => propertyKinds[property];
const propertiesOf = ({ kind, property }: AskItem): readonly Property[] =>
  Object.keys(propertyKinds)
    .filter(isProperty)
    .filter((name) => name === property || kindsOf(name).includes(kind));

export function QuestionFields({ item, onChange }: QuestionFieldsProps) {
  const properties = propertiesOf(item);
  const set = (changes: Partial<AskItem>) => onChange({ ...item, ...changes });
  const field = bind(item, onChange);
  return (
    <>
      <TextFields label={fieldNames.label} maxLength={formLimits.label} {...field('label')} />
      <TextFields
        label={fieldNames.help}
        maxLength={formLimits.label}
        isOptional
        value={item.help ?? {}}
        onChange={(help) => set({ help: Object.keys(help).length === 0 ? undefined : help })}
      />
      <div className={styles.fields}>
        <ChoiceField
          label={fieldNames.kind}
          value={item.kind}
          choices={choicesOf(askKinds, formsTexts.kinds)}
          onChange={(kind) => onChange(withKind(item, kind))}
        />
        <ChoiceField
          label={fieldNames.per}
          choices={choicesOf(['guest', 'signer'], formsTexts.pers)}
          {...field('per')}
        />
        {properties.length === 0 ? null : (
          <ChoiceField
            label={fieldNames.property}
            value={item.property ?? ''}
            choices={[['', 'Its id'], ...properties.map((property) => [property, property] as const)]}
            onChange={(property) => set({ property: property === '' ? undefined : property })}
          />
        )}
        <LimitFields item={item} set={set} />
      </div>
      <CheckField label={fieldNames.required} {...field('required')} />
      {item.options === undefined ? null : (
        <Options options={item.options} onChange={(options) => set({ options })} />
      )}
      <HealthFields item={item} set={set} />
      <FlagFields item={item} set={set} />
    </>
  );
}

interface PartProps {
  readonly item: AskItem;
  readonly set: (changes: Partial<AskItem>) => void;
}

/** The unit of `min` and `max`, by the kind of answer. */
function limitsOf(kind: AskItem['kind']): keyof typeof formsTexts.min | undefined {
  if (kind === 'text' || kind === 'long') return 'text';
  return kind === 'number' || kind === 'choices' ? kind : undefined;
}

function LimitFields({ item, set }: PartProps) {
  const limits = limitsOf(item.kind);
  if (limits === undefined) return null;
  return (
    <>
      <NumberField label={formsTexts.min[limits]} value={item.min} onChange={(min) => set({ min })} />
      <NumberField label={formsTexts.max[limits]} value={item.max} onChange={(max) => set({ max })} />
    </>
  );
}

interface OptionsProps {
  readonly options: readonly Option[];
  readonly onChange: (options: readonly Option[]) => void;
}

function Options({ options, onChange }: OptionsProps) {
  const { isReadOnly } = useEditing();
  return (
    <fieldset className={styles.condition}>
      <legend>{fieldNames.options}</legend>
      <ol className={styles.options}>
        {options.map((option, index) => {
          const name = formsTexts.option(index + 1);
          return (
            <li key={option.id} className={styles.option}>
              <TextFields
                label={name}
                maxLength={formLimits.label}
                value={option.label}
                onChange={(label) => onChange(options.with(index, { ...option, label }))}
              />
              {isReadOnly ? null : (
                <span className={styles.tools}>
                  <Tool
                    sign="↑"
                    label={formsTexts.up(name)}
                    onClick={() => onChange(moved(options, index, -1))}
                  />
                  <Tool
                    sign="×"
                    label={formsTexts.remove(name)}
                    onClick={() => onChange(options.toSpliced(index, 1))}
                  />
                </span>
              )}
            </li>
          );
        })}
      </ol>
      <p>
        <Button
          size="small"
          disabled={options.length >= formLimits.options}
          onClick={() => onChange([...options, newOption()])}
        >
          Add answer
        </Button>
      </p>
    </fieldset>
  );
}

const usualKeepDays = 30;

function HealthFields({ item, set }: PartProps) {
  const isHealth = item.sensitive === 'health';
  return (
    <>
      <CheckField
        label={fieldNames.sensitive}
        hint="Encrypted, not part of any waiver, and deleted after the days below. Staff see only its flag."
        value={isHealth}
        onChange={(sensitive) =>
          set(
            sensitive
              ? { sensitive: 'health', keepDays: usualKeepDays, property: undefined }
              : { sensitive: undefined, keepDays: undefined },
          )
        }
      />
      {isHealth ? (
        <div className={styles.fields}>
          <NumberField
            label={fieldNames.keepDays}
            min={1}
            max={formLimits.days}
            value={item.keepDays}
            onChange={(keepDays) => set({ keepDays })}
          />
        </div>
      ) : null}
    </>
  );
}

const maxFlagLength = 60;

function FlagFields({ item, set }: PartProps) {
  const { flag } = item;
  const canFlag = item.kind === 'yesno' || item.options !== undefined;
  if (!canFlag && flag === undefined) return null;
  return (
    <>
      <CheckField
        label="Staff see a flag"
        value={flag !== undefined}
        onChange={(isFlagged) =>
          set({
            flag: isFlagged
              ? {
                  on: item.kind === 'yesno' ? ['yes'] : (item.options ?? []).slice(0, 1).map(({ id }) => id),
                  label: '',
                }
              : undefined,
          })
        }
      />
      {flag === undefined ? null : (
        <div className={styles.fields}>
          <TextField
            label={fieldNames.flag}
            error={flag.label.trim() === '' ? formsTexts.missing : undefined}
            maxLength={maxFlagLength}
            value={flag.label}
            onChange={(label) => set({ flag: { ...flag, label } })}
          />
          <AnswerList
            label="If the answer is"
            question={item}
            value={flag.on}
            onChange={(on) => set({ flag: { ...flag, on } })}
          />
        </div>
      )}
    </>
  );
}
