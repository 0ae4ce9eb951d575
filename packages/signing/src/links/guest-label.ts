const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const initialOf = (word: string) => [...graphemes.segment(word)][0]?.segment ?? '';

// A name in these scripts includes the family name if it is written without a space.
const isUnspaced = (name: string) =>
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(name);

/** How others see a guest: the first name, and the initial of the last. Empty for a guest without a name. */
export function guestLabel(name: string | undefined): string {
  const words = (name ?? '').trim().split(/\s+/u);
  const [first = ''] = words;
  const last = words.length > 1 ? words.at(-1) : undefined;
  if (last !== undefined) return `${first} ${initialOf(last)}.`;
  return isUnspaced(first) ? `${initialOf(first)}…` : first;
}
