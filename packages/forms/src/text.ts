import type { Text } from './content.ts';

/** A text in a language; in the first one that it has, if it lacks that one. */
export function formText(text: Text, language: string): string {
  return (Object.hasOwn(text, language) ? text[language] : Object.values(text)[0]) ?? '';
}
