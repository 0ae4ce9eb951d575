import type { Text } from './content.ts';

/** A text in a language, or in the first language that it has if that one is missing. */
export function formText(text: Text, language: string): string {
  return (Object.hasOwn(text, language) ? text[language] : Object.values(text)[0]) ?? '';
}
