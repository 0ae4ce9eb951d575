import { describe, expect, test } from 'vitest';
import type { FormContent } from '../src/content.ts';
import { checkSigning, loadSentences } from '../src/index.ts';
import type { Answer, Signing, SigningResult } from '../src/signing.ts';
import { day, signed } from '../src/testing/index.ts';
import {
  adultsOnly,
  agree,
  ask,
  choice,
  families,
  formWith,
  nameItem,
  page,
  read,
  sign,
} from './small-form.ts';

const sentences = await loadSentences('en');
const adult = '1990-01-01';
const child = '2016-01-01';

function resultOf(content: FormContent, signing: Signing): SigningResult {
  const checked = checkSigning(content, signing, day, sentences);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.result;
}
type Answers = Readonly<Record<string, Answer>>;
/** A signing with other answers: of the first guest, or of the signer. */
const answering = (signing: Signing, answers: Answers, ofSigner: Answers = {}): Signing => ({
  ...signing,
  guests: signing.guests.map((guest, index) =>
    index === 0 ? { ...guest, answers: { ...guest.answers, ...answers } } : guest,
  ),
  signer: { ...signing.signer, answers: { ...signing.signer.answers, ...ofSigner } },
});

describe('the waivers', () => {
  const content = formWith([
    ask('mail', 'email', { property: 'email', per: 'signer' }),
    ask('nickname', 'text', { required: false }),
    choice('size', ['s', 'm']),
  ]);

  test('are one for each guest, with the signer’s answers and who signs', () => {
    const signing = signed(content, [adult, child]);
    expect(resultOf(content, signing).waivers).toEqual([
      {
        guest: 0,
        answers: {
          name: 'Zoë Bäcker',
          dateOfBirth: adult,
          email: 'zoe@example.com',
          nickname: 'Zoë Bäcker',
          size: 's',
          minor: false,
        },
      },
      {
        guest: 1,
        answers: {
          name: 'Zoë Bäcker',
          dateOfBirth: child,
          email: 'zoe@example.com',
          nickname: 'Zoë Bäcker',
          size: 's',
          minor: true,
          guardianName: 'Zoë Bäcker',
        },
      },
    ]);
  });

  test('have trimmed answers, and none that are empty, unknown or the signer’s', () => {
    const signing = answering(
      signed(content, [adult]),
      {
        name: '  Zoë  ',
        nickname: ' ',
        unknown: 'x',
        mail: 'other@example.com',
      },
      { size: 'm' },
    );
    expect(resultOf(content, signing).waivers[0]?.answers).toEqual({
      name: 'Zoë',
      dateOfBirth: adult,
      email: 'zoe@example.com',
      size: 's',
      minor: false,
    });
  });

  test('keep the guest’s id in the booking', () => {
    const signing = signed(content, [adult, child]);
    const guests = signing.guests.map((guest, index) =>
      index === 1 ? { ...guest, bookingGuestId: 'G-2' } : guest,
    );
    const { waivers } = resultOf(content, { ...signing, guests });
    expect(waivers[1]).toMatchObject({ guest: 1, bookingGuestId: 'G-2' });
    expect(waivers[0]).not.toHaveProperty('bookingGuestId');
  });

  test('name a guardian who does not take part', () => {
    const signing = signed(content, [child], { takesPart: false });
    const guardian = { ...signing.signer.guardian, name: ' Ann Bäcker ', relationship: ' mother ' };
    const result = resultOf(content, { ...signing, signer: { ...signing.signer, guardian } });
    expect(result.waivers).toHaveLength(1);
    expect(result.waivers[0]?.answers.guardianName).toBe('Ann Bäcker');
    expect(result.guardian).toEqual({
      name: 'Ann Bäcker',
      relationship: 'mother',
      dateOfBirth: '1985-03-04',
    });
  });

  test('name no guardian of adults and of minors who sign for themselves', () => {
    const signing = signed(content, [adult]);
    const guardian = { name: 'Ann', relationship: 'mother', ofAge: true } as const;
    const sent = { ...signing, signer: { ...signing.signer, guardian } };
    expect(resultOf(content, sent).guardian).toBeNull();
    expect(resultOf(content, sent).waivers[0]?.answers).not.toHaveProperty('guardianName');
    const alone = formWith([], { people: { ...families, minors: 'alone' }, guardian: undefined });
    const result = resultOf(alone, signed(alone, ['2010-01-01']));
    expect(result.guardian).toBeNull();
    expect(result.waivers[0]?.answers).toMatchObject({ minor: true });
    expect(result.waivers[0]?.answers).not.toHaveProperty('guardianName');
  });
});

describe('the guardian', () => {
  const guardian = { name: 'Ann', relationship: 'aunt', dateOfBirth: '1980-01-01', ofAge: true } as const;
  const resultWith = (content: FormContent, born: readonly string[], takesPart: boolean) => {
    const signing = signed(content, born, { takesPart });
    return resultOf(content, { ...signing, signer: { ...signing.signer, guardian } }).guardian;
  };

  test('has what the form asks for, and nothing else', () => {
    const birthDate = formWith();
    const tick = formWith([], { guardian: { relationship: 'ask', age: 'tick' } });
    expect(resultWith(birthDate, [child], false)).toEqual({
      name: 'Ann',
      relationship: 'aunt',
      dateOfBirth: '1980-01-01',
    });
    expect(resultWith(tick, [child], false)).toEqual({ name: 'Ann', relationship: 'aunt', ofAge: true });
    expect(resultWith(birthDate, [adult, child], true)).toEqual({ relationship: 'aunt' });
  });
});

describe('a hidden answer', () => {
  const content = formWith([
    ask('swims', 'yesno'),
    ask('lessons', 'text', { when: { answer: 'swims', in: ['no'] }, per: 'signer' }),
    ask('level', 'number', { when: { answer: 'swims', in: ['yes'] } }),
  ]);

  test('is dropped', () => {
    const signing = answering(signed(content, [adult]), { swims: true, level: 3 }, { lessons: 'hidden' });
    expect(resultOf(content, signing).waivers[0]?.answers).not.toHaveProperty('lessons');
    const other = answering(signed(content, [adult]), { swims: false, level: 3 }, { lessons: 'seen' });
    expect(resultOf(content, other).waivers[0]?.answers).toMatchObject({ lessons: 'seen' });
    expect(resultOf(content, other).waivers[0]?.answers).not.toHaveProperty('level');
  });

  test('is not checked', () => {
    const signing = answering(signed(content, [adult]), { swims: false, level: 'no number' });
    expect(resultOf(content, signing).waivers).toHaveLength(1);
  });
});

describe('health answers', () => {
  const content = formWith([
    agree('health'),
    ask('asthma', 'yesno', { sensitive: 'health', keepDays: 30, flag: { on: ['yes'], label: 'Ask' } }),
    ask('medicine', 'text', { sensitive: 'health', when: { answer: 'asthma', in: ['yes'] } }),
    ask('allergy', 'text', { sensitive: 'health', per: 'signer', required: false }),
    read('doctor', { when: { answer: 'asthma', in: ['yes'] } }),
  ]);
  const yes = answering(signed(content, [adult]), { asthma: true, medicine: 'spray' }, { allergy: 'nuts' });

  test('are in no waiver, with the days for which they are kept', () => {
    const { waivers, health, flags } = resultOf(content, yes);
    expect(Object.keys(waivers[0]?.answers ?? {})).toEqual(['name', 'dateOfBirth', 'minor']);
    expect(health).toEqual([
      { guest: 0, item: 'asthma', value: true, keepDays: 30 },
      { guest: 0, item: 'medicine', value: 'spray', keepDays: null },
      { guest: null, item: 'allergy', value: 'nuts', keepDays: null },
    ]);
    expect(flags).toEqual([{ guest: 0, item: 'asthma', label: 'Ask' }]);
  });

  test('do not show in the text that was shown', () => {
    const no = answering(signed(content, [adult]), { asthma: false }, { allergy: '' });
    expect(resultOf(content, yes).shown).toEqual(resultOf(content, no).shown);
    expect(resultOf(content, no).shownForHealth).toEqual([]);
    expect(resultOf(content, yes).shownForHealth).toEqual([
      {
        page: 'you',
        title: 'Page you',
        items: [
          { item: 'medicine', guests: [0], type: 'ask', label: 'medicine?', required: true },
          { item: 'doctor', guests: null, type: 'text', text: 'Text doctor', initials: false },
        ],
      },
    ]);
  });

  test('do not show through a page or other items', () => {
    const through = formWith([], {
      people: adultsOnly,
      pages: [
        page('you', [nameItem, agree('health'), ask('asthma', 'yesno', { sensitive: 'health' })]),
        page('more', [read('doctor'), ask('old', 'yesno')], {
          when: { all: [{ not: { answer: 'asthma', in: ['no'] } }] },
        }),
        page('end', [
          read('again', { when: { any: [{ answer: 'old', in: ['no'] }, { activity: ['x'] }] } }),
          read('young', { when: { not: { ageBelow: 10 } } }),
          agree('electronic'),
          sign('guest'),
        ]),
      ],
    });
    const signing = answering(signed(through, ['']), { asthma: true });
    const items = (pages: SigningResult['shown']) =>
      pages.flatMap((one) => one.items.map(({ item }) => item));
    expect(items(resultOf(through, signing).shownForHealth)).toEqual(['doctor', 'old', 'again']);
    expect(items(resultOf(through, signing).shown)).toEqual([
      'name',
      'health',
      'asthma',
      'young',
      'electronic',
      'guestSignature',
    ]);
  });
});

describe('flags', () => {
  test('are of the guest who answered, or of all for the signer’s answer', () => {
    const flag = { on: ['m', 'l'], label: 'Large' };
    const content = formWith([
      choice('size', ['s', 'm'], { flag }),
      choice('car', ['s', 'm', 'l'], { flag, per: 'signer' }),
      choice('several', ['s', 'm'], { kind: 'choices', flag }),
    ]);
    const signing = answering(
      signed(content, [adult, child]),
      { size: 'm', several: ['s', 'm'] },
      { car: 'l' },
    );
    expect(resultOf(content, signing).flags).toEqual([
      { guest: 0, item: 'size', label: 'Large' },
      { guest: 0, item: 'car', label: 'Large' },
      { guest: 1, item: 'car', label: 'Large' },
      { guest: 0, item: 'several', label: 'Large' },
    ]);
    expect(resultOf(content, signed(content, [adult])).flags).toEqual([]);
  });
});

test('photos that answers name are kept beside the waivers, others are dropped', () => {
  const content = formWith([
    ask('licence', 'photo'),
    ask('other', 'photo', { required: false, per: 'signer' }),
  ]);
  const signing = answering(signed(content, [adult]), {}, { other: '' });
  const photo = { id: 'photo-1', type: 'image/jpeg', data: '/9j/4AAQ' } as const;
  const result = resultOf(content, { ...signing, photos: [{ ...photo, id: 'unused' }, photo] });
  expect(result.photos).toEqual([{ item: 'licence', guest: 0, photo }]);
  expect(result.waivers[0]?.answers).not.toHaveProperty('licence');
});

test('the acts on what was shown are kept, of several the last, in the form’s order', () => {
  const content = formWith([
    read('risks', { initials: true, when: { answer: 'swims', in: ['yes'] } }),
    agree('terms'),
  ]);
  const signing = signed(content, [adult]);
  const at = '2026-06-30T08:00:00Z';
  const acts: Signing['acts'] = [
    { item: 'guardianSignature', guest: null, at, act: 'sign', method: 'type', name: 'No' },
    { item: 'risks', guest: null, at, act: 'initial', initials: 'ZB' },
    { item: 'terms', guest: null, at: '2026-06-30T07:00:00Z', act: 'agree' },
    ...signing.acts.toReversed(),
    { item: 'terms', guest: null, at: '2026-06-30T08:01:00Z', act: 'agree' },
  ];
  const kept = resultOf(content, { ...signing, acts }).acts;
  expect(kept.map(({ item }) => item)).toEqual(['terms', 'electronic', 'guestSignature']);
  expect(kept[0]?.at).toBe('2026-06-30T08:01:00Z');
});

test('the text is kept as it was shown: in its language, each item once, of whom it was asked', () => {
  const both = (english: string, german: string) => ({ en: english, de: german });
  const content: FormContent = {
    ...formWith(),
    languages: ['en', 'de'],
    people: { ...families, minorSignsFrom: 8 },
    pages: [
      page(
        'you',
        [
          { ...nameItem, label: both('Name', 'Name'), help: both('All of it', 'Ganz') },
          ask('born', 'date', { property: 'dateOfBirth', label: both('Born', 'Geboren') }),
          choice('size', ['s'], {
            label: both('Size', 'Größe'),
            required: false,
            per: 'signer',
            options: [{ id: 's', label: both('Small', 'Klein') }],
          }),
          read('risks', { text: both('Risks', 'Gefahren'), initials: true }),
          read('old', { text: both('Old', 'Alt'), when: { activity: ['x'] } }),
        ],
        { title: both('You', 'Sie') },
      ),
      page(
        'end',
        [
          agree('electronic', { text: both('I agree', 'Ich stimme zu') }),
          sign('guest', { statement: both('Read', 'Gelesen'), methods: ['type', 'draw'] }),
          sign('guardian', { statement: both('Guardian', 'Vertreter') }),
        ],
        { title: both('End', 'Ende') },
      ),
    ],
  };
  expect(resultOf(content, signed(content, [adult, child], { language: 'de' })).shown).toEqual([
    {
      page: 'you',
      title: 'Sie',
      items: [
        {
          item: 'name',
          guests: [0, 1],
          type: 'ask',
          property: 'name',
          label: 'Name',
          help: 'Ganz',
          required: true,
        },
        {
          item: 'born',
          guests: [0, 1],
          type: 'ask',
          property: 'dateOfBirth',
          label: 'Geboren',
          required: true,
        },
        {
          item: 'size',
          guests: null,
          type: 'ask',
          label: 'Größe',
          options: [{ id: 's', label: 'Klein' }],
          required: false,
        },
        { item: 'risks', guests: null, type: 'text', text: 'Gefahren', initials: true },
      ],
    },
    {
      page: 'end',
      title: 'Ende',
      items: [
        {
          item: 'electronic',
          guests: null,
          type: 'agree',
          act: 'electronic',
          text: 'Ich stimme zu',
          required: true,
        },
        {
          item: 'guestSignature',
          guests: [0, 1],
          type: 'sign',
          by: 'guest',
          statement: 'Gelesen',
          methods: ['type', 'draw'],
        },
        {
          item: 'guardianSignature',
          guests: null,
          type: 'sign',
          by: 'guardian',
          statement: 'Vertreter',
          methods: ['draw', 'type'],
        },
      ],
    },
  ]);
});
