import styles from './check-list.module.css';

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
        <label key={value} className={styles.choice}>
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
