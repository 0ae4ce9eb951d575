import { TextField } from '../../components/field.tsx';
import { wordsOf } from '../../components/words-of.ts';

interface WordsFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly words: readonly string[];
  readonly onChange: (words: readonly string[]) => void;
}

/** Words separated by commas. Applied on blur, so that a comma can be typed. */
export function WordsField({ label, hint, words, onChange }: WordsFieldProps) {
  return (
    <TextField
      key={words.join(', ')}
      label={label}
      hint={hint}
      defaultValue={words.join(', ')}
      onChange={() => undefined}
      onBlur={({ target }) => {
        const next = wordsOf(target.value);
        if (next.join() !== words.join()) onChange(next);
      }}
    />
  );
}
