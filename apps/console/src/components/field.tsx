import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, type FormEvent, type ReactNode, useId } from 'react';
import { namesOf } from '../api/choices.ts';
import { installationsQuery } from '../api/queries.ts';
import { texts } from '../text/english.ts';
import styles from './controls.module.css';

/** Handles a form's submission in place of the browser. */
export const handleSubmit = (submit: () => void) => (event: FormEvent) => {
  event.preventDefault();
  submit();
};

/** Binds a control to one of several values that change together. */
export const bind =
  <Values extends object>(values: Values, change: (values: Values) => void) =>
  <Name extends keyof Values>(name: Name) => ({
    value: values[name],
    onChange: (value: Values[Name]) => change({ ...values, [name]: value }),
  });

export const wordsOf = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

export const choicesOf = <const Value extends string>(
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
): readonly (readonly [Value, string])[] => values.map((value) => [value, labels[value]] as const);

/** Choices in the order of their labels. */
export const choicesIn = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
  choicesOf(namesOf(labels), labels);

interface Labelled {
  readonly label: string;
  /** Where the context makes a visible label redundant; screen readers still read it. */
  readonly isLabelHidden?: boolean;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

interface FieldProps extends Labelled {
  /** Renders the control with the ids that connect it to its label, hint and error. */
  readonly children: (control: {
    readonly id: string;
    readonly 'aria-describedby': string;
    readonly 'aria-invalid': boolean | undefined;
  }) => ReactNode;
}

function Field({ label, isLabelHidden = false, hint, error, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {children({ id, 'aria-describedby': hintId, 'aria-invalid': error === undefined ? undefined : true })}
      <p id={hintId} className={error === undefined ? styles.hint : styles.error}>
        {error ?? hint}
      </p>
    </div>
  );
}

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange'>, Labelled {
  readonly onChange: (value: string) => void;
}

export function TextField({ label, isLabelHidden = false, hint, error, onChange, ...input }: TextFieldProps) {
  return (
    <Field label={label} isLabelHidden={isLabelHidden} hint={hint} error={error}>
      {(control) => (
        <input
          {...input}
          {...control}
          className={styles.control}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

/** When access ends: the value is a date field's, such as `2027-06-12`. */
export const LastDayField = (
  field: Pick<TextFieldProps, 'error' | 'onChange'> & { readonly value: string },
) => <TextField label="Last day" hint="Leave empty for no expiry." type="date" {...field} />;

interface LongTextFieldProps extends Omit<ComponentProps<'textarea'>, 'onChange'>, Labelled {
  readonly onChange: (value: string) => void;
}

/** A multiline field that grows with its text. */
export function LongTextField({ label, hint, error, onChange, ...area }: LongTextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <textarea
          rows={3}
          {...area}
          {...control}
          className={`${styles.control} ${styles.long}`}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

interface NumberFieldProps extends Pick<TextFieldProps, 'label' | 'hint' | 'min' | 'max'> {
  readonly value: number | undefined;
  /** Undefined: the field was emptied. */
  readonly onChange: (value: number | undefined) => void;
}

export const NumberField = ({ value, onChange, ...field }: NumberFieldProps) => (
  <TextField
    {...field}
    type="number"
    value={value ?? ''}
    onChange={(typed) => onChange(typed === '' ? undefined : Number(typed))}
  />
);

interface CheckFieldProps extends Pick<Labelled, 'label' | 'hint'> {
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

export const CheckField = ({ label, hint, value, onChange }: CheckFieldProps) => (
  <label className={styles.check}>
    <input type="checkbox" checked={value} onChange={({ target }) => onChange(target.checked)} />
    <span>
      {label}
      {hint === undefined ? null : <span className={styles.hint}>{hint}</span>}
    </span>
  </label>
);

export interface ChoiceFieldProps<Value extends string> extends Labelled {
  readonly value: Value;
  readonly choices: readonly (readonly [value: Value, label: string])[];
  readonly onChange: (value: Value) => void;
}

/** One of a few values. A native `<select>`, for keyboards and phones. */
export function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>) {
  const { value, choices, onChange, ...field } = props;
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          className={styles.control}
          value={value}
          onChange={({ target }) => {
            const chosen = choices[target.selectedIndex];
            if (chosen !== undefined) onChange(chosen[0]);
          }}
        >
          {choices.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckListProps<Value extends string> {
  readonly label: string;
  readonly choices: readonly (readonly [value: Value, label: string, hint?: string])[];
  readonly value: readonly Value[];
  readonly onChange: (value: readonly Value[]) => void;
}

export function CheckList<Value extends string>(props: CheckListProps<Value>) {
  const { label, choices, value: chosen, onChange } = props;
  return (
    <fieldset className={styles.list}>
      <legend>{label}</legend>
      {choices.map(([value, text, hint]) => (
        <label key={value} className={styles.check}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
            }
          />
          <span>
            {text}
            {hint === undefined ? null : <span className={styles.hint}>{hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface WordsFieldProps extends Pick<Labelled, 'label' | 'hint'> {
  readonly words: readonly string[];
  readonly onChange: (words: readonly string[]) => void;
}

/** Words separated by commas. Applied on blur, so that a comma can be typed. */
export function WordsField({ words, onChange, ...field }: WordsFieldProps) {
  return (
    <TextField
      key={words.join(', ')}
      {...field}
      defaultValue={words.join(', ')}
      onChange={() => undefined}
      onBlur={({ target }) => {
        const next = wordsOf(target.value);
        if (next.join() !== words.join()) onChange(next);
      }}
    />
  );
}

interface BookingSystemChoiceProps {
  readonly pool: string;
  /** An install name; empty for the pool's default. */
  readonly value: string;
  readonly onChange: (bookingSystem: string) => void;
}

/** Chooses the booking system of a booking id; renders nothing if the pool has only one. */
export function BookingSystemChoice({ pool, value, onChange }: BookingSystemChoiceProps) {
  const { data: installations = [] } = useQuery(installationsQuery(pool));
  if (installations.length < 2) return null;
  return (
    <ChoiceField
      label={texts.fields.bookingSystem}
      value={value}
      choices={[
        ['', 'Default'],
        ...installations.map((one) => [one.bookingSystem, one.bookingSystem] as const),
      ]}
      onChange={onChange}
    />
  );
}
