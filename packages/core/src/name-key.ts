// Removed without a gap, so that "O’Neil" is "O'Neil" and "ONeil".
const apostrophes = /['`\u00b4\u02b9-\u02bf\u2018\u2019\u201b\u2032\uff07]/gu;
// Zero-width characters, soft hyphens, directional marks, variation selectors, Hangul fillers, a note without a head,
// and what stands for an object that was lost.
const invisible = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffc\u{1d159}]/gu;
// Of Latin, Greek, Cyrillic, Hebrew and Arabic letters. Elsewhere marks distinguish words: पता and पिता.
const marks = /[\u0300-\u036f\u0591-\u05bd\u064b-\u065f\u0670]/gu;
const separators = /[\p{P}\p{Z}\p{C}$+<=>^`|~\u0080-\u00bf\u00d7\u00f7\u2000-\u206f\u2800\u3000-\u3004]+/gu;

// Letters that do not decompose, as people without them on the keyboard write them.
const spellings: Readonly<Record<string, string>> = {
  ...{ ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', ı: 'i', ς: 'σ' },
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' },
};
const respelled = new RegExp(`[${Object.keys(spellings).join('')}]`, 'gu');

const isPlain = (name: string) => /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/.test(name);

/**
 * A name as it is compared: two names with the same key count as the same name. Folded as the search for waivers folds
 * them: no case (ß is ss, İ and ı are i), no accents, no apostrophes, no invisible characters; spaces, dashes and other
 * punctuation separate words. Empty for no name, or one without a letter or digit: such a name matches none.
 */
export function nameKey(name: string | null | undefined): string {
  if (name === null || name === undefined) return '';
  if (isPlain(name)) return name.toLowerCase();
  return name
    .replace(apostrophes, '')
    .replace(invisible, '')
    .normalize('NFKD')
    .replace(invisible, '')
    .replace(apostrophes, '')
    .replace(marks, '')
    .toLowerCase()
    .replace(respelled, (letter) => spellings[letter] ?? letter)
    .replace(separators, ' ')
    .trim();
}

/** Whether a text shows nothing: only spaces, control characters and invisible ones. */
export const isInvisibleText = (text: string): boolean =>
  !/[!-~]/.test(text) && text.replace(invisible, '').replace(/[\p{Z}\p{Cc}\p{Cf}\u2800]/gu, '') === '';
