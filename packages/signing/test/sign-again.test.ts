import { type FormContent, loadSentences } from '@waiver-service/forms';
import { describe, expect, it, test } from 'vitest';
import { recordsOfGuest } from '../src/returning/returning-people.ts';
import { codeMail } from '../src/returning/returning-routes.ts';
import { reuseQuestions } from '../src/returning/reuse-questions.ts';
import {
  type EarlierGuest,
  type EarlierSigning,
  signAgainReason,
  type Visit,
} from '../src/returning/sign-again.ts';

const text = (en: string) => ({ en });

const content: FormContent = {
  languages: ['en'],
  activities: [],
  validity: { days: 365 },
  reuse: 'version',
  people: { adults: true, minors: 'guardian', majority: 18, minAge: 6, maxMinors: 5, minorSignsFrom: 16 },
  guardian: { relationship: 'ask', age: 'tick' },
  pages: [
    {
      id: 'all',
      title: text('All'),
      items: [
        {
          type: 'ask',
          id: 'who',
          kind: 'text',
          label: text('Name'),
          required: true,
          per: 'guest',
          property: 'name',
        },
        {
          ...{ type: 'ask', id: 'born', kind: 'date', label: text('Born'), required: true, per: 'guest' },
          property: 'dateOfBirth',
        },
        {
          type: 'ask',
          id: 'swims',
          kind: 'yesno',
          label: text('Can you swim?'),
          required: true,
          per: 'guest',
        },
        {
          ...{
            type: 'ask',
            id: 'asthma',
            kind: 'yesno',
            label: text('Asthma?'),
            required: true,
            per: 'guest',
          },
          sensitive: 'health',
        },
        { type: 'text', id: 'inhaler', text: text('Bring it.'), when: { answer: 'asthma', in: ['yes'] } },
        { type: 'text', id: 'young', text: text('With a vest.'), when: { ageBelow: 14 } },
        { type: 'text', id: 'old', text: text('Without.'), when: { not: { ageBelow: 14 } } },
        { type: 'text', id: 'sea', text: text('Sharks.'), when: { activity: ['sea'] } },
        { type: 'sign', id: 'own', by: 'guest', statement: text('I.'), methods: ['type'] },
        { type: 'sign', id: 'guardian', by: 'guardian', statement: text('They.'), methods: ['type'] },
      ],
    },
  ],
};

const form = { form: 'f', version: 3, hash: '', content };
const guest = (dateOfBirth: string, minor: boolean, asthma = false): EarlierGuest => ({
  answers: { name: 'Zoë', dateOfBirth, swims: true, minor },
  health: { asthma },
  signerHealth: {},
});
const adult = guest('1990-02-28', false);

function reason(signing: Partial<EarlierSigning> = {}, visit: Partial<Visit> = {}) {
  const earlier: EarlierSigning = {
    form,
    day: { date: '2026-07-01', activities: ['lake'] },
    validUntil: '2027-07-01',
    guests: [adult],
    signerTakesPart: true,
    hasHealthAnswers: true,
    ...signing,
  };
  const next = { day: { date: '2026-09-01', activities: ['lake'] }, lastDay: '2026-09-02', form, ...visit };
  return signAgainReason(earlier, next, sentences);
}

const sentences = await loadSentences('en');
const children = (born: string, minor = true) => ({ guests: [guest(born, minor)], signerTakesPart: false });

describe('a returning guest', () => {
  it('may confirm what is valid through the last day of the visit', () => {
    expect(reason()).toBeUndefined();
    expect(reason({ validUntil: '2026-09-02' })).toBeUndefined();
    expect(reason({ validUntil: '2026-09-01' })).toBe('expired');
  });

  it('may confirm another version only where the form says so', () => {
    const newer = { ...form, version: 4 };
    expect(reason({}, { form: newer })).toBe('new-version');
    expect(reason({}, { form: { ...newer, content: { ...content, reuse: 'form' } } })).toBeUndefined();
    expect(reason({}, { form: { ...form, form: 'other' } })).toBe('other-form');
    expect(reason({}, { form: undefined })).toBe('other-form');
  });

  it('signs again where the form shows more for other activities, or because of an age', () => {
    expect(reason({}, { day: { date: '2026-09-01', activities: ['sea'] } })).toBe('more-asked');
    expect(reason({ day: { date: '2026-07-01', activities: ['sea'] } })).toBeUndefined();
    expect(reason(children('2012-10-01'))).toBeUndefined();
    // Fourteen meanwhile.
    expect(reason(children('2012-08-01'))).toBe('more-asked');
    // Sixteen meanwhile: signs, too.
    expect(reason(children('2010-08-01'))).toBe('more-asked');
  });

  it('signs again once they have come of age, or the rules of ages do not fit', () => {
    expect(reason(children('2008-08-01'))).toBe('age');
    expect(reason({ guests: [guest('2008-08-01', true)] })).toBe('age');
    expect(
      reason({}, { form: { ...form, content: { ...content, people: { ...content.people, maxAge: 30 } } } }),
    ).toBe('age');
    expect(reason({ guests: [{ ...adult, answers: { name: 'Zoë' } }] })).toBe('age');
  });

  it('signs again where health answers are gone, and confirms with those that are there', () => {
    expect(reason({ hasHealthAnswers: false })).toBe('health-answers-gone');
    expect(reason({ guests: [guest('1990-02-28', false, true)] })).toBeUndefined();
  });

  it('comes with children, or they come without the one who signed', () => {
    const family = [adult, guest('2015-01-01', true)];
    expect(reason({ guests: family })).toBeUndefined();
    expect(reason({ guests: family.slice(1), signerTakesPart: false })).toBeUndefined();
  });
});

test('a guest of a booking is known by their name among those of the address', () => {
  const dateOfBirth = '1990-02-28';
  const records = [
    { name: 'Zoë Bäcker', dateOfBirth },
    { name: 'Bo Ek', dateOfBirth },
  ];
  expect(recordsOfGuest('backer, ZOE', records)).toEqual(records.slice(0, 1));
  expect(recordsOfGuest('Zoë', records)).toEqual([]);
  expect(recordsOfGuest(undefined, records)).toEqual([]);
  expect(recordsOfGuest('Bo Ek', records.slice(0, 1))).toEqual([]);
  // A booker's address may stand on every guest of the booking.
  expect(recordsOfGuest(' ', records.slice(0, 1))).toEqual([]);
  expect(recordsOfGuest('', [{ name: undefined, dateOfBirth }])).toEqual([]);
  expect(recordsOfGuest('李小龍', [{ name: '李小龍', dateOfBirth }])).toHaveLength(1);
  const twice = [records[1], records[1]].filter((one) => one !== undefined);
  expect(recordsOfGuest('Bo Ek', twice)).toHaveLength(2);
  const son = { name: 'Bo Ek', dateOfBirth: '2014-05-06' };
  expect(recordsOfGuest('Bo Ek', [...twice, son])).toEqual([]);
});

test.each(['en', 'de', 'es', 'fr', 'cs', 'ar'])('questions and mails are in %s', (language) => {
  const signedAt = new Date('2026-07-01T22:30:00Z');
  const asked = reuseQuestions({ language, signedAt, timeZone: 'Europe/Berlin', asksHealth: true });
  expect(new Set(Object.values(asked)).size).toBe(3);
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date('2026-07-02T12:00:00Z'),
  );
  for (const question of Object.values(asked)) expect(question).toContain(day);
  const other = { language: `${language}-XX`, signedAt, timeZone: 'UTC', asksHealth: false };
  expect(reuseQuestions(other).health).toBeNull();
  const mail = codeMail('012345', { poolName: 'River', language });
  expect([mail.subject, mail.text].every((part) => part.includes('012345'))).toBe(true);
  expect(mail.text).toContain('River');
});
