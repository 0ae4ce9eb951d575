import { afterEach, expect, test, vi } from 'vitest';
import { formatStart, formatTime } from '../src/text/formats.ts';

afterEach(() => vi.unstubAllGlobals());

/** A browser with a language, possibly of a country. */
const inBrowserOf = (language: string) => vi.stubGlobal('navigator', { languages: [language], language });

// Some versions of `Intl` write U+202F before AM.
const plain = (text: string) => text.replace(/\p{Zs}/gu, ' ');

test.each([
  ['en-US', 'en', '7:30 AM', '7:30 PM'],
  ['en', 'en', '7:30 AM', '7:30 PM'],
  ['en-AU', 'en', '7:30 am', '7:30 pm'],
  ['en-GB', 'en', '07:30', '19:30'],
  ['de-AT', 'de', '07:30', '19:30'],
  ['fr-FR', 'fr', '07:30', '19:30'],
  ['es-ES', 'es', '07:30', '19:30'],
  ['cs-CZ', 'cs', '07:30', '19:30'],
  ['ar-EG', 'ar', '7:30 ص', '7:30 م'],
  // A page in another language than the browser's.
  ['de-DE', 'en', '7:30 AM', '7:30 PM'],
  ['en-US', 'de', '07:30', '19:30'],
])('a browser in %s, a page in %s: %s and %s', (browser, language, morning, evening) => {
  inBrowserOf(browser);
  const times = [
    ['2026-07-01T05:30:00Z', morning],
    ['2026-07-01T17:30:00Z', evening],
  ] as const;
  for (const [at, expected] of times) {
    expect(plain(formatTime(language, at, 'Europe/Berlin'))).toBe(expected);
    const start = plain(formatStart(language, at, 'Europe/Berlin'));
    expect(start).toContain(expected);
    expect(start).not.toContain(`0${expected}`);
  }
});
