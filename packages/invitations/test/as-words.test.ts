import { asWords } from '@waiver-service/alerts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { composeMail } from '../src/compose-mail.ts';

test.each([
  ['evil.example/pay', 'evil. example/pay'],
  ['https://evil.example/pay', 'https: / /evil. example/pay'],
  ['www.evil.example', 'www. evil. example'],
  ['pay@evil.example', 'pay @ evil. example'],
  ['mailto:pay@evil.example', 'mailto: pay @ evil. example'],
  ['evil。example', 'evil。 example'],
  ['evil\u200B.\u2060example', 'evil. example'],
  ['\u202Elive.elpmaxe', 'live. elpmaxe'],
  ['10.0.0.1/pay', '10. 0. 0. 1/pay'],
  ['Ann\r\nBcc: all@example.com', 'Ann Bcc: all @ example. com'],
  ['Ann\u2028Lee', 'Ann Lee'],
])('%j stands in a mail as words', (text, words) => {
  expect(asWords(text, 120)).toBe(words);
});

test.each([
  'Zoë O’Neil-Bäcker',
  'Dr. Ann Lee, M. A.',
  'Rafting (2.5 h, 10:30)',
  'Tour & Lunch: St. Moritz!',
  'علی‌رضا',
  'Inc.)',
])('%j stays as it is', (text) => {
  expect(asWords(text, 120)).toBe(text);
});

// As mail programs find them: a scheme, an address, a name with a dot inside.
const links = [
  /:\/\//,
  /\S[@＠﹫]|[@＠﹫]\S/u,
  /[\p{L}\p{N}][.．。｡․﹒][\p{L}\p{M}]/u,
  /\p{L}[\p{L}\p{N}+.-]*:\S/u,
  /\/\//,
];

test('no name and no activity makes a link, a header or a line in a mail', () => {
  const part = fc.constantFrom(
    'evil',
    'example',
    '.',
    '。',
    '@',
    ':',
    '/',
    '//',
    'https',
    'www',
    'com',
    '10',
    '\r\n',
    '\u200B',
    ' ',
    '{link}',
    '<a href=x>',
    'ü',
  );
  const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
  const given = {
    language: 'en',
    texts: undefined,
    startsAt: new Date(0),
    timeZone: 'UTC',
    operator: 'River',
    link: 'LINK',
    isGroup: false,
    unsubscribeUrl: 'UNSUBSCRIBE',
  } as const;
  fc.assert(
    fc.property(text, text, (name, activity) => {
      const words = [asWords(name, 120), asWords(activity, 120)];
      for (const link of links) for (const each of words) expect(each).not.toMatch(link);
      const mail = composeMail({ ...given, name, activities: [activity] });
      expect(mail.subject).not.toMatch(/[\r\n]/);
      for (const link of [/:\/\//, /[\p{L}\p{N}]@[\p{L}\p{N}]/u, /[\p{L}\p{N}][.。][\p{L}\p{N}]/u])
        expect(mail.text).not.toMatch(link);
      expect(mail.html.match(/<a /g)).toHaveLength(2);
    }),
  );
});
