const baseOf = (tag: string) => tag.toLowerCase().split(/[^a-z0-9]/)[0] ?? '';

/**
 * The best match among the offered languages.
 * @param wanted - the browser's tags, preferred first; any string, since some report `en-US@posix`
 * @param offered - tags, the default first
 */
export function pickLanguage<Tag extends string>(
  wanted: readonly string[],
  offered: readonly [Tag, ...Tag[]],
): Tag {
  for (const tag of wanted) {
    const exact = offered.find((one) => one.toLowerCase() === tag.toLowerCase());
    const found = exact ?? offered.find((one) => baseOf(one) === baseOf(tag));
    if (found !== undefined) return found;
  }
  return offered[0];
}

const rightToLeft: readonly string[] = ['ar', 'fa', 'he', 'ur', 'ps', 'yi', 'dv', 'ckb', 'ug'];

export const directionOf = (language: string): 'rtl' | 'ltr' =>
  rightToLeft.includes(baseOf(language)) ? 'rtl' : 'ltr';
