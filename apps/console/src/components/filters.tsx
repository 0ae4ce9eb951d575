import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import styles from './controls.module.css';
import { ChoiceField, type ChoiceFieldProps, TextField } from './field.tsx';

interface FiltersProps {
  /** Always visible; on a phone, the other fields are behind a button. */
  readonly search?: ReactNode;
  /** The values of the other fields; `undefined` if not set. */
  readonly values?: readonly unknown[];
  readonly children?: ReactNode;
}

export function Filters({ search, values = [], children }: FiltersProps) {
  const [isOpen, setIsOpen] = useState(false);
  const fieldsId = useId();
  const set = values.filter((value) => value !== undefined).length;
  return (
    <search aria-label="Filters" className={styles.filters}>
      {search}
      {children === undefined ? null : (
        <Button
          className={styles.toggle ?? ''}
          aria-expanded={isOpen}
          aria-controls={fieldsId}
          onClick={() => setIsOpen(!isOpen)}
        >
          {set === 0 ? 'Filters' : `Filters (${set})`}
        </Button>
      )}
      <div id={fieldsId} className={`${styles.fields} ${isOpen ? '' : styles.closed}`}>
        {children}
      </div>
    </search>
  );
}

interface FilterChoiceProps<Value extends string> extends Pick<ChoiceFieldProps<Value>, 'label' | 'choices'> {
  readonly value: Value | undefined;
  readonly onChange: (value: Value | undefined) => void;
  readonly anyLabel?: string;
}

export function FilterChoice<Value extends string>(props: FilterChoiceProps<Value>) {
  const { label, value, choices, onChange, anyLabel = 'Any' } = props;
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
  /** The value that a text stands for; undefined if it filters nothing. By default, the text itself. */
  readonly read?: (text: string) => string | undefined;
}

const pauseMs = 300;

/** A debounced search field. */
export function FilterText({ value = '', onChange, read = String, ...field }: FilterTextProps) {
  const [typed, setTyped] = useState(value);
  const apply = useRef(onChange);
  apply.current = onChange;
  // Our own value coming back may lag behind the typing, or be only what could be read of it: the typed text stays.
  const applied = useRef(value);
  useEffect(() => {
    if (value === applied.current) return;
    applied.current = value;
    setTyped(value);
  }, [value]);
  const text = read(typed.trim()) ?? '';
  useEffect(() => {
    if (text === value.trim()) return;
    const timer = setTimeout(() => {
      applied.current = text;
      apply.current(text || undefined);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text, value]);
  return <TextField {...field} type="search" value={typed} onChange={setTyped} />;
}
