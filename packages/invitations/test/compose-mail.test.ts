import { asWords, mailLanguageOf } from '@waiver-service/alerts';
import { mailLanguages } from '@waiver-service/api';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { composeMail, type MailParts } from '../src/compose-mail.ts';
import { wordsOf } from '../src/texts/languages.ts';

const parts: MailParts = {
  language: 'en',
  texts: undefined,
  name: 'Zoë Bäcker',
  activities: ['Rafting', 'Rafting', 'Lunch'],
  startsAt: new Date('2027-06-12T08:00:00Z'),
  timeZone: 'Europe/Berlin',
  operator: 'River & Sons',
  link: 'https://waivers.example.com/check-in/wsg_1',
  isGroup: false,
  unsubscribeUrl: 'https://waivers.example.com/unsubscribe/p/1?language=en',
};

const leaves = (value: object): string[] =>
  Object.values(value).flatMap((each: unknown) =>
    typeof each === 'object' && each !== null ? leaves(each) : [String(each)],
  );

describe('texts', () => {
  it('no language lacks one, and each has the placeholders that English has', () => {
    const names = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted();
    for (const language of mailLanguages) {
      const words = wordsOf(language);
      expect(leaves(words)).toHaveLength(leaves(wordsOf('en')).length);
      expect(leaves(words).every((text) => text.trim() !== '')).toBe(true);
      expect([language, ...leaves(words).flatMap(names)]).toEqual([
        language,
        ...leaves(wordsOf('en')).flatMap(names),
      ]);
      expect(words.text.split('\n\n')).toContain('{link}');
    }
  });

  it('a language is found by its tag', () => {
    expect(['de-AT', 'DE', 'pt_BR', '', undefined, 'ar'].map(mailLanguageOf)).toEqual([
      'de',
      'de',
      undefined,
      undefined,
      undefined,
      'ar',
    ]);
  });
});

describe('a message', () => {
  it('names guest, activities, and the time where the activity is', () => {
    const { subject, text, html } = composeMail(parts);
    expect(subject).toBe('Please sign before Rafting, Lunch on Saturday, June 12, 2027');
    expect(text).toContain('Hello Zoë Bäcker,');
    expect(text).toMatch(/on Saturday, June 12, 2027 at 10:00\sAM/);
    expect(text).toContain(`\n\n${parts.link}\n\n`);
    expect(text).toContain(parts.unsubscribeUrl);
    expect(html).toContain('River &amp; Sons');
    expect(html).toContain(`<a href="${parts.link}"`);
    expect(html).toContain('dir="ltr"');
  });

  it('runs from right to left in Arabic', () => {
    expect(composeMail({ ...parts, language: 'ar' }).html).toContain('<html lang="ar" dir="rtl">');
  });

  it('says to pass on the link of a booking', () => {
    expect(composeMail({ ...parts, isGroup: true }).text).toContain('everyone in your booking');
    expect(composeMail(parts).html).not.toContain('everyone in your booking');
  });

  it('keeps what guests and booking systems write from being a header, a tag or a placeholder', () => {
    const name = 'Eve\r\nBcc: all@example.com\u2028<b>"{link}" 🏄';
    const { subject, text, html } = composeMail({
      ...parts,
      name,
      activities: ['<script>alert(1)</script>\nX: y'],
      texts: { subject: '{name} {activity}', text: 'Hi {name}\n\n{link}' },
    });
    expect(subject).not.toMatch(/[\r\n\u2028]/);
    expect(text).toContain('Hi Eve Bcc: all @ example. com <b>"{link}" 🏄');
    expect(html).toContain('Hi Eve Bcc: all @ example. com &lt;b&gt;&quot;{link}&quot; 🏄');
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('<b>');
  });

  it('shortens what is too long, and has words for what is missing', () => {
    const long = composeMail({
      ...parts,
      name: '🏄'.repeat(500),
      texts: { subject: '{name}', text: '{link}' },
    });
    expect([...long.subject]).toHaveLength(120);
    expect(long.subject.endsWith('🏄…')).toBe(true);
    const none = composeMail({ ...parts, name: ' ', activities: [] });
    expect(none.text).toContain('Hello there,');
    expect(none.subject).toContain('your activity');
  });

  it('has the link within a sentence, too', () => {
    const texts = { subject: 'S', text: 'Open {link} now.\nThanks' };
    const { html } = composeMail({ ...parts, texts });
    expect(html).toContain(`<p>Open <a href="${parts.link}">${parts.link}</a> now.<br>Thanks</p>`);
  });
});

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
