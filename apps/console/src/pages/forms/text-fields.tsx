import type { Text } from '@waiver-service/forms';
import { LongTextField, TextField } from '../../components/field.tsx';
import { formsTexts } from '../../text/english/forms.ts';
import { languageName } from '../../text/formats.ts';
import { withText } from './edit-content.ts';
import { useEditing } from './editing.ts';
import styles from './forms.module.css';

interface TextFieldsProps {
  readonly label: string;
  readonly text: Text;
  readonly maxLength: number;
  readonly hint?: string;
  readonly isLong?: boolean;
  /** Whether the text may be missing in every language. */
  readonly isOptional?: boolean;
  readonly onChange: (text: Text) => void;
}

/** A text in each of the form's languages, side by side; missing ones are marked. */
export function TextFields({ label, text, hint, isLong, isOptional, maxLength, onChange }: TextFieldsProps) {
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
