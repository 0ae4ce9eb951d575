import { describe, expect, test } from 'vitest';
import type { FormContent } from '../src/content.ts';
import {
  checkPage,
  checkPeople,
  checkSigning,
  isDrawn,
  loadSentences,
  type Sentences,
} from '../src/index.ts';
import type { Act, Signing } from '../src/signing.ts';
import { day, signed } from '../src/testing/index.ts';
import { adultsOnly, agree, ask, families, formWith, nameItem, page, read, sign } from './small-form.ts';

const en = await loadSentences('en');
const adult = '1990-01-01';
const child = '2016-01-01';
const teenager = '2010-01-01';

const sentence = (key: keyof Sentences, n?: number) => en[key].replace('{n}', String(n));
const problemsOf = (content: FormContent, signing: Signing) => {
  const checked = checkSigning(content, signing, day, en);
  return checked.ok ? [] : checked.problems;
};
/** Problems as `field: message`. */
const said = (content: FormContent, signing: Signing) =>
  problemsOf(content, signing).map(({ field, message }) => `${field}: ${message}`);
const formFor = (people: Partial<FormContent['people']>, more: Partial<FormContent> = {}) =>
  formWith([], { people: { ...families, ...people }, ...more });

describe('people', () => {
  const born = (guest: number) => `guests[${guest}].answers.born`;

  test('who are right have no problem', () => {
    expect(said(formFor({}), signed(formFor({}), [adult, child, child, child]))).toEqual([]);
    expect(said(formFor({}), signed(formFor({}), [child, child], { takesPart: false }))).toEqual([]);
  });

  test('are of an age that may take part', () => {
    const content = formFor({ minAge: 11, maxAge: 30 });
    const signing = signed(content, ['1996-07-01', '2015-07-01', '2015-07-02']);
    expect(problemsOf(content, signing)).toEqual([
      { item: 'born', guest: 2, field: born(2), message: sentence('tooYoung', 11) },
    ]);
    expect(said(content, signed(content, ['1995-07-01']))).toEqual([`${born(0)}: ${sentence('tooOld', 30)}`]);
    expect(said(content, signed(content, ['1995-07-02']))).toEqual([]);
  });

  test('are adults where minors may not take part', () => {
    const content = formFor({ minors: 'no' });
    expect(said(content, signed(content, ['2008-07-01']))).toEqual([]);
    expect(said(content, signed(content, ['2008-07-02']))).toEqual([
      `${born(0)}: ${sentence('noMinors', 18)}`,
    ]);
  });

  test('are minors where adults may not take part', () => {
    const content = formFor({ adults: false });
    expect(said(content, signed(content, [adult]))).toEqual([`${born(0)}: ${en.noAdults}`]);
    expect(said(content, signed(content, [child], { takesPart: false }))).toEqual([]);
  });

  test('have a guardian where they are minors', () => {
    const content = formFor({});
    expect(said(content, signed(content, [teenager]))).toContain(
      `${born(0)}: ${sentence('needsGuardian', 18)}`,
    );
  });

  test('sign for themselves if they are adults', () => {
    const content = formFor({});
    expect(said(content, signed(content, [adult, adult]))).toEqual([`${born(1)}: ${en.signsAlone}`]);
    expect(said(content, signed(content, [adult], { takesPart: false }))).toEqual([
      `${born(0)}: ${en.signsAlone}`,
    ]);
  });

  test('sign for themselves as minors, where the form says so', () => {
    const content = formFor({ minors: 'alone' }, { guardian: undefined });
    expect(said(content, signed(content, [teenager]))).toEqual([]);
    expect(said(content, signed(content, [teenager, teenager]))).toEqual([`${born(1)}: ${en.signsAlone}`]);
    expect(said(content, signed(content, [adult, teenager]))).toEqual([`${born(1)}: ${en.signsAlone}`]);
  });

  test('are at most as many minors as the form allows', () => {
    const content = formFor({ maxMinors: 1 });
    expect(said(content, signed(content, [adult, child]))).toEqual([]);
    expect(problemsOf(content, signed(content, [adult, child, child]))).toEqual([
      { item: null, guest: null, field: 'guests', message: sentence('tooManyMinors', 1) },
    ]);
  });

  test('whose birth date is not known yet are not judged', () => {
    const content = formFor({ minors: 'no', minAge: 18, maxAge: 30, adults: false });
    const signing = { ...signed(content, [adult]), guests: [{ answers: {} }] };
    expect(checkPeople(content, signing, day, en)).toEqual([]);
  });

  test('are one adult where no birth date is asked', () => {
    const content = formWith([], {
      people: adultsOnly,
      pages: [page('you', [nameItem]), page('end', [agree('electronic'), sign('guest')])],
    });
    expect(said(content, signed(content, ['']))).toEqual([]);
    expect(problemsOf(content, signed(content, ['', '']))).toEqual([
      { item: null, guest: 1, field: 'guests[1]', message: sentence('noMinors', 18) },
    ]);
  });
});

describe('a guardian', () => {
  const content = formFor({}, { guardian: { relationship: 'require', age: 'birthDate' } });
  const withGuardian = (guardian: Signing['signer']['guardian'], of: FormContent = content) => {
    const signing = signed(of, [child], { takesPart: false });
    return said(of, { ...signing, signer: { ...signing.signer, guardian } });
  };
  const complete = { name: 'Ann', relationship: 'aunt', dateOfBirth: '1980-01-01' };

  test('is complete', () => {
    expect(withGuardian(complete)).toEqual([]);
  });

  test('has a name, a relationship and a birth date', () => {
    const all = [
      `signer.guardian.name: ${en.guardianName}`,
      `signer.guardian.relationship: ${en.guardianRelationship}`,
      `signer.guardian.dateOfBirth: ${en.guardianBirthDate}`,
    ];
    expect(withGuardian(undefined)).toEqual(all);
    expect(withGuardian({ name: ' ', relationship: '7', dateOfBirth: '2026-02-30' })).toEqual(all);
    expect(withGuardian({ name: '\u3164', relationship: '\u2800' })).toEqual(all);
    expect(withGuardian({ ...complete, dateOfBirth: '2026-07-02' })).toEqual(all.slice(2));
  });

  test('is of age', () => {
    expect(withGuardian({ ...complete, dateOfBirth: '2008-07-02' })).toEqual([
      `signer.guardian.dateOfBirth: ${sentence('guardianTooYoung', 18)}`,
    ]);
    expect(withGuardian({ ...complete, dateOfBirth: '2008-07-01' })).toEqual([]);
    expect(withGuardian({ ...complete, dateOfBirth: day.date })).toEqual([
      `signer.guardian.dateOfBirth: ${sentence('guardianTooYoung', 18)}`,
    ]);
  });

  test('says so by a tick, where the form asks for that', () => {
    const tick = formFor({}, { guardian: { relationship: 'ask', age: 'tick' } });
    expect(withGuardian({ name: 'Ann', ofAge: true }, tick)).toEqual([]);
    expect(withGuardian({ name: 'Ann', dateOfBirth: '1980-01-01' }, tick)).toEqual([
      `signer.guardian.ofAge: ${en.guardianOfAge}`,
    ]);
  });

  test('who takes part gives the relationship only', () => {
    const signing = signed(content, [adult, child]);
    const signer = { ...signing.signer, guardian: undefined };
    expect(said(content, { ...signing, signer })).toEqual([
      `signer.guardian.relationship: ${en.guardianRelationship}`,
    ]);
    expect(said(content, { ...signing, signer: { ...signer, guardian: { relationship: 'aunt' } } })).toEqual(
      [],
    );
  });

  test('is not needed for adults, nor for minors who sign for themselves', () => {
    const alone = formFor({ minors: 'alone' }, { guardian: undefined });
    for (const [of, born] of [
      [content, adult],
      [alone, teenager],
    ] as const) {
      const signing = signed(of, [born]);
      expect(said(of, { ...signing, signer: { ...signing.signer, guardian: undefined } })).toEqual([]);
    }
  });
});

describe('acts', () => {
  const content = formWith([
    read('plain'),
    read('risks', { initials: true }),
    agree('marketing', { required: false }),
    agree('terms'),
  ]);
  const signing = signed(content, [adult]);
  const withActs = (change: (act: Act) => readonly Act[]) =>
    problemsOf(content, { ...signing, acts: signing.acts.flatMap(change) });
  const without = (item: string) => withActs((act) => (act.item === item ? [] : [act]));

  test('are complete, without the consent that is free', () => {
    expect(withActs((act) => [act])).toEqual([]);
    expect(without('marketing')).toEqual([]);
    expect(signing.acts.map(({ item }) => item)).not.toContain('plain');
  });

  test.each([
    ['terms', null, en.consent],
    ['electronic', null, en.consent],
    ['risks', null, en.initials],
    ['guestSignature', 0, en.sign],
  ] as const)('are missing: %s', (item, guest, message) => {
    expect(without(item)).toEqual([{ item, guest, field: 'acts', message }]);
  });

  test('of another guest, on another item or of another kind do not count', () => {
    const missing = [{ item: 'guestSignature', guest: 0, field: 'acts', message: en.sign }];
    const at = '2026-06-30T08:00:00Z';
    expect(withActs((act) => [{ ...act, guest: act.act === 'sign' ? 1 : act.guest }])).toEqual(missing);
    expect(withActs((act) => [{ ...act, guest: act.act === 'sign' ? null : act.guest }])).toEqual(missing);
    const agreed: Act = { item: 'guestSignature', guest: 0, at, act: 'agree' };
    expect(withActs((act) => [act.act === 'sign' ? agreed : act])).toEqual(missing);
  });

  test('have initials with a letter', () => {
    const index = signing.acts.findIndex(({ act }) => act === 'initial');
    expect(withActs((act) => [act.act === 'initial' ? { ...act, initials: ' 12' } : act])).toEqual([
      { item: 'risks', guest: null, field: `acts[${index}].initials`, message: en.initials },
    ]);
    expect(withActs((act) => [act.act === 'initial' ? { ...act, initials: 'ÄÖ' } : act])).toEqual([]);
  });

  test('have a typed name, on equal footing with a drawing', () => {
    const index = signing.acts.findIndex(({ act }) => act === 'sign');
    const typed = (name: string) =>
      withActs((act) =>
        act.act === 'sign'
          ? [{ item: act.item, guest: act.guest, at: act.at, act: 'sign', method: 'type', name }]
          : [act],
      );
    expect(typed('Zoë Bäcker')).toEqual([]);
    expect(typed(' . ')).toEqual([
      { item: 'guestSignature', guest: 0, field: `acts[${index}].name`, message: en.typedName },
    ]);
  });

  test('have a drawing that is more than a dot', () => {
    const index = signing.acts.findIndex(({ act }) => act === 'sign');
    const dot = withActs((act) =>
      act.act === 'sign' && act.method === 'draw' ? [{ ...act, strokes: [[[5, 5, 0]]] }] : [act],
    );
    expect(dot).toEqual([
      { item: 'guestSignature', guest: 0, field: `acts[${index}].strokes`, message: en.drawing },
    ]);
  });

  test('are made in a way that the form offers', () => {
    const typedOnly = formWith([], {
      people: adultsOnly,
      pages: [
        page('you', [nameItem]),
        page('end', [agree('electronic'), sign('guest', { methods: ['type'] })]),
      ],
    });
    expect(said(typedOnly, signed(typedOnly, ['']))).toEqual([`acts[1].method: ${en.method}`]);
  });

  test('may be repeated: the last one counts', () => {
    const index = signing.acts.findIndex(({ act }) => act === 'initial');
    const twice = withActs((act) => (act.act === 'initial' ? [act, { ...act, initials: '-' }] : [act]));
    expect(twice).toEqual([
      { item: 'risks', guest: null, field: `acts[${index + 1}].initials`, message: en.initials },
    ]);
    expect(withActs((act) => (act.act === 'initial' ? [{ ...act, initials: '-' }, act] : [act]))).toEqual([]);
  });
});

test('a drawing is a signature from a twentieth of the pad on, in width or height', () => {
  const drawn = (...points: readonly (readonly [number, number])[]) =>
    isDrawn({ strokes: [points.map(([x, y]) => [x, y, 0] as const)], width: 200, height: 100 });
  expect(drawn([0, 0], [9, 4])).toBe(false);
  expect(drawn([100, 50], [110, 50])).toBe(true);
  expect(drawn([100, 50], [100, 45])).toBe(true);
  expect(drawn([-20, 50], [-10, 50])).toBe(true);
  expect(isDrawn({ strokes: [], width: 200, height: 100 })).toBe(false);
  // Two dots apart are two strokes.
  expect(isDrawn({ strokes: [[[0, 0, 0]], [[50, 0, 9]]], width: 200, height: 100 })).toBe(true);
});

test('a language that the form does not have is a problem', () => {
  const content = formWith();
  expect(problemsOf(content, { ...signed(content, [adult]), language: 'de' })).toEqual([
    { item: null, guest: null, field: 'language', message: en.language },
  ]);
});

test('sentences are in the language of the guest', async () => {
  const content = formWith();
  const checked = checkSigning(
    content,
    { ...signed(content, [adult]), acts: [] },
    day,
    await loadSentences('de'),
  );
  expect(checked).toMatchObject({
    ok: false,
    problems: [
      { item: 'electronic', message: 'Bitte haken Sie dieses Feld an, um fortzufahren.' },
      { item: 'guestSignature', message: 'Bitte unterschreiben Sie hier.' },
    ],
  });
});

describe('a page', () => {
  const content = formWith([ask('email', 'email', { per: 'signer' }), read('risks', { initials: true })], {
    people: { ...families, minAge: 10 },
  });
  const draft = {
    language: 'en',
    guests: [{ answers: { name: 'Zoë' } }],
    signer: { takesPart: true, answers: {} },
  };

  test('has the problems of its items only, before there is any act', () => {
    expect(checkPage(content, draft, day, 'you', en)).toEqual([
      { item: 'born', guest: 0, field: 'guests[0].answers.born', message: en.required },
      { item: 'email', guest: null, field: 'signer.answers.email', message: en.required },
      { item: 'risks', guest: null, field: 'acts', message: en.initials },
    ]);
    expect(checkPage(content, draft, day, 'end', en).map(({ item }) => item)).toEqual([
      'electronic',
      'guestSignature',
    ]);
    expect(checkPage(content, draft, day, 'unknown', en)).toEqual([]);
  });

  test('with the question for the birth date has the problems of ages', () => {
    const young = { ...draft, guests: [{ answers: { name: 'Zoë', born: '2020-01-01' } }] };
    const ofAge = checkPage(content, young, day, 'you', en).filter(({ item }) => item === 'born');
    expect(ofAge).toEqual([
      { item: 'born', guest: 0, field: 'guests[0].answers.born', message: sentence('needsGuardian', 18) },
    ]);
    expect(checkPage(content, young, day, 'end', en).some(({ item }) => item === 'born')).toBe(false);
  });
});
