import { useSigning } from '../screens/signing-context.ts';
import { languageName } from '../text/formats.ts';
import { verbatim } from './verbatim.ts';

/** Says in a translated page in which languages the texts to sign are. */
export function TranslationNote() {
  const { words, draft } = useSigning();
  if (draft.translatedAt === undefined) return null;
  const { languages } = draft.form.content;
  return (
    <p class="note translation-note">
      <span>{words.signedLanguages}</span> <bdi {...verbatim}>{languages.map(languageName).join(', ')}</bdi>
    </p>
  );
}
