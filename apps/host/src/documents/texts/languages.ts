import { ar } from './ar.ts';
import { cs } from './cs.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import type { DocumentWords } from './words.ts';

const languages: Readonly<Record<string, DocumentWords>> = { en, de, fr, es, cs, ar };

/** The words for a language tag: those of `de` for `de-AT`, English where there are none. */
export function documentWords(language: string): DocumentWords {
  const base = language.split('-')[0]?.toLowerCase() ?? '';
  return (Object.hasOwn(languages, base) ? languages[base] : undefined) ?? en;
}
