import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './field.module.css';

interface FieldProps {
  readonly label: string;
  /** Where the context makes a visible label redundant; screen readers still read it. */
  readonly isLabelHidden?: boolean;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
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

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
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

interface LongTextFieldProps extends Omit<ComponentProps<'textarea'>, 'onChange'> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
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

interface NumberFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly value: number | undefined;
  readonly min?: number;
  readonly max?: number;
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

interface CheckFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
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

interface ChoiceFieldProps<Value extends string> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly value: Value;
  readonly choices: readonly (readonly [value: Value, label: string])[];
  readonly onChange: (value: Value) => void;
}

/** One of a few values. A native `<select>`, for keyboards and phones. */
export function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>) {
  const { label, hint, error, value, choices, onChange } = props;
  return (
    <Field label={label} hint={hint} error={error}>
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
