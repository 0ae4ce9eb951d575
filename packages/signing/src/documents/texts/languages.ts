import ar from './ar.json' with { type: 'json' };
import cs from './cs.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };

/** The words of a document around what was shown, in one language. */
export type DocumentWords = typeof en;

const languages: Readonly<Record<string, DocumentWords>> = { en, de, fr, es, cs, ar };

/** The words for a language tag: those of `de` for `de-AT`, English where there are none. */
export function documentWords(language: string): DocumentWords {
  const base = language.split('-')[0]?.toLowerCase() ?? '';
  return (Object.hasOwn(languages, base) ? languages[base] : undefined) ?? en;
}
