import { onText } from '../fields/on-text.ts';
import { languageName } from '../text/formats.ts';
import type { Words } from '../text/words.ts';
import { verbatim } from '../translation/verbatim.ts';

interface LanguageChoiceProps {
  readonly words: Words;
  readonly language: string;
  readonly languages: readonly string[];
  readonly onLanguage: (language: string) => void;
}

/** The choice of a language, each in its own name. */
export function LanguageChoice({ words, language, languages, onLanguage }: LanguageChoiceProps) {
  return (
    <label class="language">
      <span class="visually-hidden">{words.language}</span>
      <select {...verbatim} value={language} {...onText(onLanguage)}>
        {languages.map((one) => (
          <option key={one} value={one} lang={one}>
            {languageName(one)}
          </option>
        ))}
      </select>
    </label>
  );
}
