import { LanguageChoice } from '../screens/language-choice.tsx';
import type { Words } from '../text/words.ts';
import { pageLanguages } from '../text/words.ts';

interface KioskHeaderProps {
  readonly name: string;
  readonly words: Words;
  readonly language: string;
  readonly onLanguage: (language: string) => void;
}

/** The pool's name, and the choice of a language. */
export function KioskHeader({ name, words, language, onLanguage }: KioskHeaderProps) {
  return (
    <header class="top kiosk">
      <div class="top-inner">
        <div class="where">
          <p class="pool">
            <bdi>{name}</bdi>
          </p>
        </div>
        <LanguageChoice {...{ words, language, onLanguage }} languages={pageLanguages} />
      </div>
    </header>
  );
}
