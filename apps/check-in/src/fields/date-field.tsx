import { useState } from 'preact/hooks';
import { useSigning } from '../screens/signing-context.ts';
import { type DatePart, dateOrder, monthNames } from '../text/formats.ts';
import { FieldGroup, onText } from './field.tsx';

type Parts = Readonly<Record<DatePart, string>>;

function partsOf(value: string): Parts {
  const [year = '', month = '', day = ''] = value.split('-');
  return { year, month: month.replace(/^0/, ''), day: day.replace(/^0/, '') };
}

/** The stored value. An incomplete date is stored too, so that nothing typed is lost and validation rejects it. */
function joined({ year, month, day }: Parts): string {
  if (year + month + day === '') return '';
  const twoDigits = (part: string) => (part === '' ? '' : part.padStart(2, '0'));
  return `${year}-${twoDigits(month)}-${twoDigits(day)}`;
}

const easternZeros = ['٠', '۰', '०'].map((zero) => zero.charCodeAt(0));

/** Replaces the digits of Arabic, Persian and Hindi keyboards with 0 to 9. */
export const withLatinDigits = (text: string): string =>
  text.replace(/[٠-٩۰-۹०-९]/g, (digit) => {
    const zero = easternZeros.find(
      (code) => digit.charCodeAt(0) - code >= 0 && digit.charCodeAt(0) - code < 10,
    );
    return String(digit.charCodeAt(0) - (zero ?? 0));
  });

interface DateFieldProps {
  readonly id: string;
  readonly label: string;
  readonly help?: string | undefined;
  readonly problem?: string | undefined;
  readonly isOptional?: boolean;
  /** Lets the browser autofill the user's birthday. */
  readonly isOwnBirthday?: boolean;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** A date in three controls: for a birthday quicker than a calendar, and the month is named. */
export function DateField({ value, onInput, isOwnBirthday = false, ...texts }: DateFieldProps) {
  const { words, draft } = useSigning();
  // Keeps the parts as typed: `1`, not yet `01`.
  const [typed, setTyped] = useState(() => partsOf(value));
  // The value may also change from outside, when a guest of the booking is chosen.
  const parts = joined(typed) === value ? typed : partsOf(value);
  const set = (part: DatePart, text: string) => {
    const next = { ...parts, [part]: text };
    setTyped(next);
    onInput(joined(next));
  };
  const complete = (part: DatePart) => (isOwnBirthday ? `bday-${part}` : 'off');
  const digits = (part: 'day' | 'year', length: number) => (
    <label class={`part ${part}`} key={part}>
      <span>{words.fields[part]}</span>
      <input
        inputMode="numeric"
        autocomplete={complete(part)}
        maxLength={length}
        value={parts[part]}
        aria-invalid={texts.problem ? 'true' : undefined}
        {...onText((text) => set(part, withLatinDigits(text).replace(/\D/g, '')))}
      />
    </label>
  );
  const month = (
    <label class="part month" key="month">
      <span>{words.fields.month}</span>
      <select
        autocomplete={complete('month')}
        aria-invalid={texts.problem ? 'true' : undefined}
        value={parts.month}
        {...onText((text) => set('month', text))}
      >
        <option value="" />
        {monthNames(draft.language).map((name, index) => (
          <option key={name} value={String(index + 1)}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
  const controls = { day: digits('day', 2), month, year: digits('year', 4) };
  return (
    <FieldGroup {...texts}>
      <div class="date">{dateOrder(draft.language).map((part) => controls[part])}</div>
    </FieldGroup>
  );
}
