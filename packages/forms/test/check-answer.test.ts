import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AskItem } from '../src/content.ts';
import { checkPage, countryCodes, loadSentences, type Sentences, signingLimits } from '../src/index.ts';
import type { Answer } from '../src/signing.ts';
import { ask, choice, formWith, page } from './small-form.ts';

const en = await loadSentences('en');
const day = { date: '2026-07-01', activities: [] };

/** The sentence for an answer to a question; undefined if there is none. */
function sentenceFor(item: AskItem, answer?: Answer): string | undefined {
  const signing = {
    language: 'en',
    guests: [{ answers: answer === undefined ? {} : { [item.id]: answer } }],
    signer: { takesPart: true, answers: {} },
    photos: [{ id: 'p1', type: 'image/png', data: 'iVBO' }] as const,
  };
  const content = formWith([], { pages: [page('only', [item])] });
  const problems = checkPage(content, signing, day, 'only', en);
  expect(problems.length).toBeLessThanOrEqual(1);
  for (const { field, item: id, guest } of problems) {
    expect({ field, id, guest }).toEqual({ field: `guests[0].answers.${item.id}`, id: item.id, guest: 0 });
  }
  return problems[0]?.message;
}

const sentence = (key: keyof Sentences, n?: number) => en[key].replace('{n}', String(n));

test('a required answer is missing if it is absent, blank or an empty list', () => {
  expect(sentenceFor(ask('a', 'text'))).toBe(en.required);
  expect(sentenceFor(ask('a', 'text'), ' \t')).toBe(en.required);
  expect(sentenceFor(ask('a', 'choices', { options: [] }), [])).toBe(en.required);
  expect(sentenceFor(ask('a', 'yesno'), false)).toBeUndefined();
  expect(sentenceFor(ask('a', 'number'), 0)).toBeUndefined();
  expect(sentenceFor(ask('a', 'text', { required: false }), '')).toBeUndefined();
  expect(sentenceFor(ask('a', 'email', { required: false }), 'x')).toBe(en.email);
});

describe('an answer of characters that cannot be seen is none', () => {
  const invisible = fc.string({
    unit: fc.constantFrom(
      ' ',
      '\t',
      '\u00ad',
      '\u115f',
      '\u200b',
      '\u200e',
      '\u2060',
      '\u2800',
      '\u3164',
      '\ufe0f',
    ),
    minLength: 1,
    maxLength: 20,
  });
  const kinds = ['text', 'long', 'email', 'phone', 'date', 'choice', 'country', 'number', 'photo'] as const;

  test.each(kinds)('%s', (kind) => {
    fc.assert(
      fc.property(invisible, (answer) => {
        expect(sentenceFor(ask('a', kind, { options: [] }), answer)).toBe(en.required);
        expect(sentenceFor(ask('a', kind, { options: [], required: false }), answer)).toBeUndefined();
      }),
    );
  });

  test('but beside one that can be seen they are part of the answer', () => {
    expect(sentenceFor(ask('a', 'text'), '\u3164·')).toBeUndefined();
  });
});

describe('an answer of another type is refused', () => {
  const options = [{ id: 'x', label: { en: 'x' } }];
  test.each([
    ['text', 1],
    ['text', true],
    ['text', ['x']],
    ['long', 1],
    ['email', true],
    ['date', 20260101],
    ['yesno', 'yes'],
    ['yesno', 1],
    ['yesno', ['x']],
    ['choice', ['x']],
    ['choices', 'x'],
    ['number', true],
    ['country', 1],
    ['photo', ['p1']],
  ] as const)('%s: %j', (kind, answer) => {
    expect(sentenceFor(ask('a', kind, { options }), answer)).toBe(en.unsuitable);
  });

  test('a number as text has its own sentence', () => {
    expect(sentenceFor(ask('a', 'number'), '12')).toBe(en.number);
  });
});

describe('a text', () => {
  test('has as many characters as the item says', () => {
    const item = ask('a', 'text', { min: 2, max: 4 });
    expect(sentenceFor(item, 'x')).toBe(sentence('tooShort', 2));
    expect(sentenceFor(item, 'xx')).toBeUndefined();
    expect(sentenceFor(item, 'xxxx')).toBeUndefined();
    expect(sentenceFor(item, 'xxxxx')).toBe(sentence('tooLong', 4));
    expect(sentenceFor(item, '  xxxx  ')).toBeUndefined();
    const long = ask('a', 'long', { min: 2, max: 4 });
    expect(sentenceFor(long, 'x')).toBe(sentence('tooShort', 2));
    expect(sentenceFor(long, 'xxxxx')).toBe(sentence('tooLong', 4));
  });

  test('has a limit where the item has none', () => {
    expect(sentenceFor(ask('a', 'text'), 'x'.repeat(200))).toBeUndefined();
    expect(sentenceFor(ask('a', 'text'), 'x'.repeat(201))).toBe(sentence('tooLong', 200));
    expect(sentenceFor(ask('a', 'long'), 'x'.repeat(4000))).toBeUndefined();
    expect(sentenceFor(ask('a', 'long'), 'x'.repeat(4001))).toBe(sentence('tooLong', 4000));
  });

  test('is a name if it has a letter, of any script', () => {
    const name = ask('a', 'text', { property: 'name' });
    expect(sentenceFor(name, '123 -')).toBe(en.typedName);
    expect(sentenceFor(name, '李')).toBeUndefined();
    expect(sentenceFor(name, 'عمر')).toBeUndefined();
    expect(sentenceFor(ask('a', 'text'), '123 -')).toBeUndefined();
  });
});

test.each([
  ['zoe@example.com', true],
  ['zoë.b+x@sub.example.co.uk', true],
  ['zoe@localhost', false],
  ['zoe@example.', false],
  ['zoe@.com', false],
  ['zoe@example..com', false],
  ['zoe example@example.com', false],
  ['zoe@exa mple.com', false],
  ['@example.com', false],
  ['zoe@@example.com', false],
  ['zoe', false],
  ['zoe@example.com or ask me', false],
  ['my zoe@example.com', false],
])('whether %s is an email address: %s', (address, isAddress) => {
  expect(sentenceFor(ask('a', 'email'), address)).toBe(isAddress ? undefined : en.email);
});

test('an email address and a phone number have a limit', () => {
  const address = `${'x'.repeat(242)}@example.com`;
  expect(sentenceFor(ask('a', 'email'), address)).toBeUndefined();
  expect(sentenceFor(ask('a', 'email'), `x${address}`)).toBe(sentence('tooLong', signingLimits.email));
  expect(sentenceFor(ask('a', 'phone'), '1'.repeat(40))).toBeUndefined();
  expect(sentenceFor(ask('a', 'phone'), '1'.repeat(41))).toBe(sentence('tooLong', signingLimits.phone));
});

test.each([
  ['+49 (0)30 / 12-34', true],
  ['12345', true],
  ['٠١٢٣٤٥٦', true],
  ['030 123 ext. 7', true],
  ['1234', false],
  ['none', false],
])('whether %s is a phone number: %s', (text, isNumber) => {
  expect(sentenceFor(ask('a', 'phone'), text)).toBe(isNumber ? undefined : en.phone);
});

test('a date is a day of the calendar, not before 1850', () => {
  expect(sentenceFor(ask('a', 'date'), '2031-12-31')).toBeUndefined();
  expect(sentenceFor(ask('a', 'date'), '1850-01-01')).toBeUndefined();
  expect(sentenceFor(ask('a', 'date'), '1849-12-31')).toBe(en.date);
  expect(sentenceFor(ask('a', 'date'), '2026-02-30')).toBe(en.date);
  expect(sentenceFor(ask('a', 'date'), '1.2.2026')).toBe(en.date);
});

test('a date of birth is not after the day of the activity', () => {
  const born = ask('born', 'date', { property: 'dateOfBirth' });
  expect(sentenceFor(born, '2026-07-02')).toBe(en.birthDate);
  expect(sentenceFor(born, '2027-01-01')).toBe(en.birthDate);
  expect(sentenceFor(born, '2026-07-01')).not.toBe(en.birthDate);
  expect(sentenceFor(born, 'soon')).toBe(en.date);
});

test('a number is within the limits of the item', () => {
  const item = ask('a', 'number', { min: -2, max: 2.5 });
  expect(sentenceFor(item, -2.1)).toBe(sentence('tooSmall', -2));
  expect(sentenceFor(item, -2)).toBeUndefined();
  expect(sentenceFor(item, 2.5)).toBeUndefined();
  expect(sentenceFor(item, 2.6)).toBe(sentence('tooLarge', 2.5));
  expect(sentenceFor(ask('a', 'number'), -1e9)).toBeUndefined();
});

test('height and weight have limits anyway', () => {
  const height = ask('a', 'number', { property: 'height' });
  expect(sentenceFor(height, 0)).toBe(sentence('tooSmall', 1));
  expect(sentenceFor(height, 300)).toBeUndefined();
  expect(sentenceFor(height, 301)).toBe(sentence('tooLarge', 300));
  const weight = ask('a', 'number', { property: 'weight', min: 20 });
  expect(sentenceFor(weight, 19)).toBe(sentence('tooSmall', 20));
  expect(sentenceFor(weight, 701)).toBe(sentence('tooLarge', 700));
});

test('a choice is one of the options', () => {
  expect(sentenceFor(choice('a', ['s', 'm']), 'm')).toBeUndefined();
  expect(sentenceFor(choice('a', ['s', 'm']), 'l')).toBe(en.notAnOption);
  expect(sentenceFor(ask('a', 'choice'), 'l')).toBe(en.notAnOption);
});

test('several choices are distinct options, as many as the item says', () => {
  const item = choice('a', ['s', 'm', 'l'], { kind: 'choices', min: 2, max: 2 });
  expect(sentenceFor(item, ['s', 'l'])).toBeUndefined();
  expect(sentenceFor(item, ['s'])).toBe(sentence('tooFewChoices', 2));
  expect(sentenceFor(item, ['s', 'm', 'l'])).toBe(sentence('tooManyChoices', 2));
  expect(sentenceFor(item, ['s', 's'])).toBe(en.notAnOption);
  expect(sentenceFor(item, ['s', 'x'])).toBe(en.notAnOption);
  expect(sentenceFor({ ...item, min: undefined, max: undefined }, ['s', 'm', 'l'])).toBeUndefined();
  expect(sentenceFor(ask('a', 'choices'), ['s'])).toBe(en.notAnOption);
});

test('a country is a code of ISO 3166', () => {
  expect(countryCodes).toHaveLength(250);
  expect(countryCodes).toEqual([...new Set(countryCodes)].toSorted());
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  expect(countryCodes.filter((code) => names.of(code) === undefined)).toEqual([]);
  expect(sentenceFor(ask('a', 'country'), 'CZ')).toBeUndefined();
  expect(sentenceFor(ask('a', 'country'), 'cz')).toBe(en.notAnOption);
  expect(sentenceFor(ask('a', 'country'), 'ZZ')).toBe(en.notAnOption);
});

test('a photo is one of the signing', () => {
  expect(sentenceFor(ask('a', 'photo'), 'p1')).toBeUndefined();
  expect(sentenceFor(ask('a', 'photo'), 'p2')).toBe(en.photo);
});
