import type { Words } from '../text/english.ts';
import { languageName } from '../text/formats.ts';
import { pageLanguages } from '../text/words.ts';

interface KioskHeaderProps {
  readonly name: string;
  readonly words: Words;
  readonly language: string;
  readonly onLanguage: (language: string) => void;
}

/** Whose kiosk it is, and the language. */
export function KioskHeader({ name, words, language, onLanguage }: KioskHeaderProps) {
  return (
    <header class="top kiosk">
      <div class="top-inner">
        <div class="where">
          <p class="pool">
            <bdi>{name}</bdi>
          </p>
        </div>
        <label class="language">
          <span class="visually-hidden">{words.language}</span>
          <select value={language} onChange={({ currentTarget }) => onLanguage(currentTarget.value)}>
            {pageLanguages.map((one) => (
              <option key={one} value={one} lang={one}>
                {languageName(one)}
              </option>
            ))}
          </select>
        </label>
      </div>
    </header>
  );
}
