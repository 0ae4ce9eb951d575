import { describe, expect, test } from 'vitest';
import type { FormContent, When } from '../src/content.ts';
import { shownItems } from '../src/index.ts';
import type { Answer, SigningGuest } from '../src/signing.ts';
import { agree, ask, choice, families, formWith, page, read, sign } from './small-form.ts';

const day = { date: '2026-07-01', activities: ['rafting'] };
const adult: SigningGuest = { answers: { born: '1990-01-01' } };
const child: SigningGuest = { answers: { born: '2016-01-01' } };
const teenager: SigningGuest = { answers: { born: '2010-01-01' } };

interface People {
  readonly guests?: readonly SigningGuest[];
  readonly takesPart?: boolean;
  readonly answers?: Readonly<Record<string, Answer>>;
}

/** The guests of whom an item is asked. */
function askedOf(
  content: FormContent,
  item: string,
  { guests = [adult], takesPart = true, answers = {} }: People = {},
  on = day,
) {
  return shownItems(content, { guests, signer: { takesPart, answers } }, on)
    .filter((shown) => shown.item === item)
    .map(({ guest }) => guest);
}

/** Whether a text with a condition is shown. */
const isShown = (when: When, answers: Readonly<Record<string, Answer>>, on = day) => {
  const items = [
    choice('size', ['s', 'm']),
    ask('some', 'choices', {
      options: [
        { id: 'a', label: { en: 'a' } },
        { id: 'b', label: { en: 'b' } },
      ],
    }),
    ask('swims', 'yesno'),
    ask('country', 'country'),
    read('text', { when }),
  ];
  const guests = [{ answers: { born: '1990-01-01', ...answers } }];
  return askedOf(formWith(items), 'text', { guests }, on).length === 1;
};

test('everything without a condition is shown in order', () => {
  const content = formWith([ask('email', 'email', { per: 'signer' }), read('text')]);
  expect(
    shownItems(content, { guests: [adult, child], signer: { takesPart: true, answers: {} } }, day),
  ).toEqual([
    { page: 'you', item: 'name', guest: 0 },
    { page: 'you', item: 'name', guest: 1 },
    { page: 'you', item: 'born', guest: 0 },
    { page: 'you', item: 'born', guest: 1 },
    { page: 'you', item: 'email', guest: null },
    { page: 'you', item: 'text', guest: null },
    { page: 'end', item: 'electronic', guest: null },
    { page: 'end', item: 'guestSignature', guest: 0 },
    { page: 'end', item: 'guardianSignature', guest: null },
  ]);
});

describe('a condition', () => {
  test('on a choice', () => {
    const when = { answer: 'size', in: ['s', 'x'] };
    expect(isShown(when, { size: 's' })).toBe(true);
    expect(isShown(when, { size: 'm' })).toBe(false);
    expect(isShown(when, {})).toBe(false);
  });

  test('on several choices holds if one of them was made', () => {
    const when = { answer: 'some', in: ['b', 'c'] };
    expect(isShown(when, { some: ['a', 'b'] })).toBe(true);
    expect(isShown(when, { some: ['a'] })).toBe(false);
    expect(isShown(when, { some: [] })).toBe(false);
  });

  test('on yes and no', () => {
    expect(isShown({ answer: 'swims', in: ['no'] }, { swims: false })).toBe(true);
    expect(isShown({ answer: 'swims', in: ['no'] }, { swims: true })).toBe(false);
    expect(isShown({ answer: 'swims', in: ['yes'] }, { swims: true })).toBe(true);
  });

  test('on a country', () => {
    expect(isShown({ answer: 'country', in: ['DE'] }, { country: 'DE' })).toBe(true);
    expect(isShown({ answer: 'country', in: ['DE'] }, { country: 'AT' })).toBe(false);
  });

  test('on an activity', () => {
    expect(isShown({ activity: ['rafting'] }, {})).toBe(true);
    expect(isShown({ activity: ['canyon', 'rafting'] }, {})).toBe(true);
    expect(isShown({ activity: ['canyon'] }, {})).toBe(false);
    expect(isShown({ activity: ['rafting'] }, {}, { ...day, activities: [] })).toBe(false);
  });

  test('of several parts', () => {
    const small: When = { answer: 'size', in: ['s'] };
    const swims: When = { answer: 'swims', in: ['yes'] };
    expect(isShown({ all: [small, swims] }, { size: 's', swims: true })).toBe(true);
    expect(isShown({ all: [small, swims] }, { size: 's' })).toBe(false);
    expect(isShown({ any: [small, swims] }, { swims: true })).toBe(true);
    expect(isShown({ any: [small, swims] }, {})).toBe(false);
    expect(isShown({ not: small }, { size: 'm' })).toBe(true);
    expect(isShown({ not: small }, { size: 's' })).toBe(false);
  });

  test('on ages looks at the day of the activity', () => {
    const content = formWith([ask('nickname', 'text', { when: { ageBelow: 10 } })]);
    const guests = [adult, child, { answers: { born: '2016-07-02' } }, { answers: {} }];
    expect(askedOf(content, 'nickname', { guests })).toEqual([2]);
    expect(askedOf(content, 'nickname', { guests }, { ...day, date: '2026-07-02' })).toEqual([]);
    expect(askedOf(content, 'nickname', { guests }, { ...day, date: '2025-12-31' })).toEqual([1, 2]);
  });

  test('on ages is false for a birth date that is none, or in the future', () => {
    const content = formWith([ask('nickname', 'text', { when: { ageBelow: 99 } })]);
    const guests = ['', '2026-02-30', '2026-07-02', 7, true].map((born) => ({ answers: { born } }));
    expect(askedOf(content, 'nickname', { guests })).toEqual([]);
    expect(askedOf(content, 'nickname', { guests: [{ answers: { born: '2026-07-01' } }] })).toEqual([0]);
  });

  test('on a guest’s answer counts for that guest, and for what is asked once if it holds for any', () => {
    const when: When = { answer: 'size', in: ['s'] };
    const content = formWith([
      choice('size', ['s', 'm']),
      ask('each', 'text', { when }),
      ask('once', 'text', { when, per: 'signer' }),
      read('text', { when }),
    ]);
    const guests = [adult, { answers: { ...child.answers, size: 's' } }];
    expect(askedOf(content, 'each', { guests })).toEqual([1]);
    expect(askedOf(content, 'once', { guests })).toEqual([null]);
    expect(askedOf(content, 'text', { guests })).toEqual([null]);
    expect(askedOf(content, 'once', { guests: [adult] })).toEqual([]);
  });

  test('on the signer’s answer counts for all guests', () => {
    const content = formWith([
      choice('size', ['s', 'm'], { per: 'signer' }),
      ask('each', 'text', { when: { answer: 'size', in: ['s'] } }),
    ]);
    expect(askedOf(content, 'each', { guests: [adult, child], answers: { size: 's' } })).toEqual([0, 1]);
    expect(askedOf(content, 'each', { guests: [adult, child], answers: { size: 'm' } })).toEqual([]);
  });

  test('on a hidden answer does not hold, whatever was sent', () => {
    const content = formWith([
      ask('swims', 'yesno'),
      choice('level', ['a', 'b'], { when: { answer: 'swims', in: ['yes'] } }),
      read('text', { when: { answer: 'level', in: ['a'] } }),
    ]);
    const guest = (swims: boolean) => ({ guests: [{ answers: { swims, level: 'a' } }] });
    expect(askedOf(content, 'text', guest(true))).toEqual([null]);
    expect(askedOf(content, 'text', guest(false))).toEqual([]);
  });

  test('of a page counts for all of it', () => {
    const content = formWith([], {
      pages: [
        page('you', [ask('swims', 'yesno')]),
        page('water', [read('text'), ask('level', 'text')], { when: { answer: 'swims', in: ['yes'] } }),
      ],
    });
    const guests = [{ answers: { swims: true } }, { answers: { swims: false } }];
    expect(askedOf(content, 'text', { guests })).toEqual([null]);
    expect(askedOf(content, 'level', { guests })).toEqual([0]);
    expect(askedOf(content, 'text', { guests: [{ answers: {} }] })).toEqual([]);
  });
});

describe('signatures are asked', () => {
  const signing = (people: Partial<FormContent['people']>) =>
    formWith([], { people: { ...families, ...people } });

  test('of an adult who takes part', () => {
    expect(askedOf(signing({}), 'guestSignature')).toEqual([0]);
    expect(askedOf(signing({}), 'guardianSignature')).toEqual([]);
  });

  test('of a guardian, once, for all children', () => {
    const guests = [adult, child, child];
    expect(askedOf(signing({}), 'guestSignature', { guests })).toEqual([0]);
    expect(askedOf(signing({}), 'guardianSignature', { guests })).toEqual([null]);
    expect(askedOf(signing({}), 'guestSignature', { guests: [child], takesPart: false })).toEqual([]);
    expect(askedOf(signing({}), 'guardianSignature', { guests: [child], takesPart: false })).toEqual([null]);
  });

  test('of minors who are old enough to sign, too', () => {
    const guests = [adult, child, teenager, { answers: {} }];
    expect(askedOf(signing({ minorSignsFrom: 16 }), 'guestSignature', { guests })).toEqual([0, 2]);
    expect(askedOf(signing({ minorSignsFrom: 17 }), 'guestSignature', { guests })).toEqual([0]);
  });

  test('of minors who sign for themselves, without a guardian', () => {
    const guests = [teenager];
    expect(askedOf(signing({ minors: 'alone' }), 'guestSignature', { guests })).toEqual([0]);
    expect(askedOf(signing({ minors: 'alone' }), 'guardianSignature', { guests })).toEqual([]);
  });

  test('by the form’s age of majority', () => {
    const guests = [teenager];
    expect(askedOf(signing({ majority: 16 }), 'guestSignature', { guests })).toEqual([0]);
    expect(askedOf(signing({ majority: 16 }), 'guardianSignature', { guests })).toEqual([]);
    expect(askedOf(signing({ majority: 17 }), 'guardianSignature', { guests })).toEqual([null]);
  });

  test('of a guardian while the ages of others are unknown, but not of the signer', () => {
    const unknown = { answers: {} };
    expect(askedOf(signing({}), 'guardianSignature', { guests: [adult, unknown] })).toEqual([null]);
    expect(askedOf(signing({}), 'guardianSignature', { guests: [unknown], takesPart: false })).toEqual([
      null,
    ]);
    expect(askedOf(signing({}), 'guardianSignature', { guests: [unknown] })).toEqual([]);
    expect(askedOf(signing({}), 'guestSignature', { guests: [unknown] })).toEqual([0]);
  });

  test('of those for whom the condition holds', () => {
    const content = formWith([], {
      people: { ...families, minorSignsFrom: 14 },
      pages: [
        ...formWith([choice('size', ['s', 'm'])]).pages.slice(0, 1),
        page('end', [
          agree('electronic'),
          sign('guest', { when: { answer: 'size', in: ['s'] } }),
          sign('guardian', { when: { answer: 'size', in: ['m'] } }),
        ]),
      ],
    });
    const guests = [
      { answers: { ...adult.answers, size: 's' } },
      { answers: { ...teenager.answers, size: 'm' } },
    ];
    expect(askedOf(content, 'guestSignature', { guests })).toEqual([0]);
    expect(askedOf(content, 'guardianSignature', { guests })).toEqual([null]);
    expect(askedOf(content, 'guardianSignature', { guests: [guests[0] ?? adult, child] })).toEqual([]);
  });
});

test('an item may have the name of something that every object has', () => {
  const content = formWith([
    ask('constructor', 'yesno'),
    read('text', { when: { answer: 'constructor', in: ['yes'] } }),
  ]);
  expect(askedOf(content, 'text')).toEqual([]);
  expect(askedOf(content, 'text', { guests: [{ answers: { constructor: true } }] })).toEqual([null]);
});
