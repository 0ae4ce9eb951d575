import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { texts } from '../text/english.ts';
import { ChoiceField, TextField } from './field.tsx';
import styles from './filters.module.css';

export function Filters({ children }: { readonly children: ReactNode }) {
  return (
    <search aria-label={texts.filters.label} className={styles.filters}>
      {children}
    </search>
  );
}

interface FilterChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value | undefined;
  readonly choices: readonly (readonly [value: Value, label: string])[];
  readonly onChange: (value: Value | undefined) => void;
  readonly anyLabel?: string;
}

export function FilterChoice<Value extends string>(props: FilterChoiceProps<Value>) {
  const { label, value, choices, onChange, anyLabel = texts.filters.any } = props;
  return (
    <ChoiceField<Value | ''>
      label={label}
      value={value ?? ''}
      choices={[['', anyLabel], ...choices]}
      onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
    />
  );
}

interface FilterTextProps extends Omit<ComponentProps<typeof TextField>, 'value' | 'onChange'> {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

const pauseMs = 300;

/** A text to find, which takes effect when the typing pauses. */
export function FilterText({ value = '', onChange, ...field }: FilterTextProps) {
  const [typed, setTyped] = useState(value);
  const apply = useRef(onChange);
  apply.current = onChange;
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => apply.current(typed.trim() || undefined), pauseMs);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return <TextField {...field} type="search" value={typed} onChange={setTyped} />;
}
