import type { CheckInSession } from '../host/session.ts';
import { formatStart } from '../text/formats.ts';
import type { Words } from '../text/words.ts';
import { LanguageChoice } from './language-choice.tsx';

interface HeaderProps {
  readonly session: CheckInSession;
  readonly words: Words;
  readonly language: string;
  readonly languages: readonly string[];
  readonly onLanguage?: ((language: string) => void) | undefined;
}

/** The pool, the activity, and the choice of a language. */
export function Header({ session, words, language, languages, onLanguage }: HeaderProps) {
  const [first] = session.booking?.sessions ?? [];
  const start = first && formatStart(language, first.startsAt, session.day.timeZone);
  return (
    <header class="top">
      <div class="top-inner">
        <div class="where">
          <p class="pool">
            <bdi>{session.pool.name}</bdi>
          </p>
          {first && (
            <p class="activity">
              <bdi>{first.activityName}</bdi>
              {first.activityName && start && ' · '}
              {start}
            </p>
          )}
        </div>
        {onLanguage && languages.length > 1 && (
          <LanguageChoice {...{ words, language, languages, onLanguage }} />
        )}
      </div>
    </header>
  );
}
