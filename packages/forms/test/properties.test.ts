import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exampleForms } from '../src/examples/index.ts';
import {
  checkPage,
  checkPeople,
  checkSigning,
  compareForms,
  type FormContent,
  formContentSchema,
  formProblems,
  loadSentences,
  type Signing,
  shownItems,
  signingSchema,
  validUntil,
} from '../src/index.ts';
import { askKinds, consentActs, propertyKinds } from '../src/names.ts';
import { day, signed } from '../src/testing/index.ts';

const sentences = await loadSentences('en');

// Few ids, so that items meet: with conditions on each other, on themselves, twice.
const id = fc.constantFrom('a', 'b', 'c', 'constructor', 'toString', 'name', 'born');
const option = fc.constantFrom('a', 'b', 'yes', 'no', 'DE');
const text = fc.constantFrom({ en: 'Text' }, { en: 'Text', de: '**Text**' }, {});
const age = fc.constantFrom(0, 7, 18, 120);
const { when } = fc.letrec((tie) => ({
  when: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({ answer: id, in: fc.array(option, { minLength: 1, maxLength: 3 }) }),
    fc.record({ ageBelow: age }),
    fc.record({ activity: fc.constantFrom(['lake'], ['sea', 'lake']) }),
    fc.record({ all: fc.array(tie('when'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ any: fc.array(tie('when'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: tie('when') }),
  ),
}));
const optional = {
  requiredKeys: [
    'type',
    'id',
    'act',
    'text',
    'required',
    'kind',
    'label',
    'per',
    'by',
    'statement',
    'methods',
  ],
};
const asRecord = (model: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(model, { requiredKeys: Object.keys(model).filter((key) => optional.requiredKeys.includes(key)) });
const item = fc.oneof(
  asRecord({ type: fc.constant('text'), id, text, initials: fc.boolean(), when }),
  asRecord({
    type: fc.constant('agree'),
    id,
    act: fc.constantFrom(...consentActs),
    text,
    required: fc.boolean(),
    when,
  }),
  asRecord({
    type: fc.constant('ask'),
    id,
    kind: fc.constantFrom(...askKinds),
    label: text,
    required: fc.boolean(),
    per: fc.constantFrom('guest', 'signer'),
    property: fc.constantFrom(...Object.keys(propertyKinds)),
    options: fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'yes'), label: text }), {
      minLength: 1,
      maxLength: 3,
    }),
    min: fc.integer({ min: -2, max: 5 }),
    max: fc.integer({ min: 0, max: 300 }),
    sensitive: fc.constant('health'),
    flag: fc.record({ on: fc.array(option, { minLength: 1, maxLength: 2 }), label: fc.constant('Flag') }),
    keepDays: fc.constant(30),
    when,
  }),
  asRecord({
    type: fc.constant('sign'),
    id,
    by: fc.constantFrom('guest', 'guardian'),
    statement: text,
    methods: fc.constantFrom(['draw'], ['draw', 'type']),
    when,
  }),
);
const content: fc.Arbitrary<FormContent> = fc
  .record(
    {
      languages: fc.constantFrom(['en'], ['en', 'de']),
      binding: fc.constantFrom('en', 'fr'),
      activities: fc.constantFrom([], ['lake']),
      validity: fc.constantFrom({ visit: true }, { days: 365 }, { until: '02-29' }),
      reuse: fc.constantFrom('version', 'form'),
      people: fc.record(
        {
          adults: fc.boolean(),
          minors: fc.constantFrom('no', 'guardian', 'alone'),
          majority: fc.constant(18),
          minAge: age,
          maxAge: age,
          maxMinors: fc.constantFrom(0, 1, 10),
          minorSignsFrom: age,
        },
        { requiredKeys: ['adults', 'minors', 'majority', 'maxMinors'] },
      ),
      guardian: fc.record({
        relationship: fc.constantFrom('ask', 'require'),
        age: fc.constantFrom('birthDate', 'tick'),
      }),
      pages: fc.array(
        fc.record(
          { id, title: text, items: fc.array(item, { maxLength: 5 }), when },
          { requiredKeys: ['id', 'title', 'items'] },
        ),
        { minLength: 1, maxLength: 3 },
      ),
    },
    { requiredKeys: ['languages', 'activities', 'validity', 'reuse', 'people', 'pages'] },
  )
  .map((value) => formContentSchema.safeParse(value).data)
  .filter((value) => value !== undefined);

const at = '2026-06-30T08:00:00Z';
const answer = fc.oneof(
  option,
  fc.constantFrom('2016-05-05', '1990-01-01', '2010-02-29', 'x@example.com', '+49 30 1234', ' ', 'photo-1'),
  fc.string({ maxLength: 20 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.array(option, { maxLength: 3 }),
);
const answers = fc.dictionary(id, answer, { maxKeys: 7 });
const done = { item: id, guest: fc.option(fc.integer({ min: 0, max: 3 })), at: fc.constant(at) };
const act = fc.oneof(
  fc.record({ ...done, act: fc.constant('agree') }),
  fc.record({ ...done, act: fc.constant('initial'), initials: fc.string({ maxLength: 3 }) }),
  fc.record({
    ...done,
    act: fc.constant('sign'),
    method: fc.constant('type'),
    name: fc.string({ maxLength: 9 }),
  }),
  fc.record({
    ...done,
    act: fc.constant('sign'),
    method: fc.constant('draw'),
    strokes: fc.array(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 100 }), fc.nat(999)), {
        minLength: 1,
        maxLength: 3,
      }),
      { maxLength: 2 },
    ),
    width: fc.constant(300),
    height: fc.constant(100),
  }),
);
const signing: fc.Arbitrary<Signing> = fc
  .record(
    {
      id: fc.uuid(),
      form: fc.constant('f1'),
      version: fc.constant(1),
      language: fc.constantFrom('en', 'de', 'fr'),
      guests: fc.array(fc.record({ answers }), { minLength: 1, maxLength: 4 }),
      signer: fc.record(
        {
          takesPart: fc.boolean(),
          guardian: fc.record(
            {
              name: fc.string({ maxLength: 9 }),
              relationship: fc.constantFrom('', 'aunt'),
              dateOfBirth: fc.constantFrom('1980-01-01', '2020-01-01', 'x'),
              ofAge: fc.constant(true),
            },
            { requiredKeys: [] },
          ),
          answers,
        },
        { requiredKeys: ['takesPart', 'answers'] },
      ),
      acts: fc.array(act, { maxLength: 9 }),
      photos: fc.constant([{ id: 'photo-1', type: 'image/png', data: 'iVBO' }]),
      times: fc.constant({ openedAt: at, signedAt: at }),
    },
    { requiredKeys: ['id', 'form', 'version', 'language', 'guests', 'signer', 'acts', 'times'] },
  )
  .map((value) => signingSchema.safeParse(value).data)
  .filter((value) => value !== undefined);

describe('any form and any signing that the schemas accept', () => {
  test('are evaluated without an error', () => {
    fc.assert(
      fc.property(content, content, signing, (form, other, sent) => {
        shownItems(form, sent, day);
        checkPeople(form, sent, day, sentences);
        for (const { id: page } of form.pages) checkPage(form, sent, day, page, sentences);
        checkSigning(form, sent, day, sentences);
        formProblems(form, [other]);
        validUntil(form, day);
        expect(compareForms(form, form)).toEqual([]);
        compareForms(form, other);
      }),
      { numRuns: 500 },
    );
  });

  test('give the browser and the host the same, and are not changed', () => {
    const frozen = <Value>(value: Value): Value => {
      if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
      return value;
    };
    fc.assert(
      fc.property(content, signing, (form, sent) => {
        const [onHost, inBrowser] = [frozen(structuredClone(form)), frozen(JSON.parse(JSON.stringify(form)))];
        const copy: Signing = JSON.parse(JSON.stringify(sent));
        expect(checkSigning(inBrowser, frozen(copy), day, sentences)).toEqual(
          checkSigning(onHost, frozen(sent), day, sentences),
        );
      }),
    );
  });
});

describe('any signing of an example that answers rightly', () => {
  const example = fc.constantFrom(...exampleForms);
  const picks = fc.array(fc.nat(), { minLength: 60, maxLength: 60 });
  const secret = 'HIDDEN-ANSWER';

  /** A family, or an adult, with answers that `picks` choose; hidden answers are the secret. */
  function sent(
    { content: form }: (typeof exampleForms)[number],
    withChildren: boolean,
    numbers: readonly number[],
  ) {
    const { people } = form;
    const born = (age: number) => `${2025 - age}-12-31`;
    const maxMinorAge = Math.min(17, people.maxAge ?? 17);
    const minAge = Math.min(people.minAge ?? 3, maxMinorAge);
    let next = 0;
    const pick = (count: number) => (numbers[next++ % numbers.length] ?? 0) % count;
    const minors = [0, 1].map(() => born(minAge + pick(maxMinorAge - minAge + 1)));
    const adult = born(18 + pick(40));
    const children = people.minors === 'guardian' && (withChildren || !people.adults);
    const guests = [...(people.adults ? [adult] : []), ...(children ? minors : [])];
    const language = form.languages[pick(form.languages.length)] ?? '';
    const signing = signed(form, guests, { takesPart: people.adults, language, pick });
    const shown = shownItems(form, signing, day);
    const hide = (answersOf: Signing['signer']['answers'], guest: number | null) =>
      Object.fromEntries(
        Object.entries(answersOf).map(([one, value]) => [
          one,
          shown.some((of) => of.item === one && of.guest === guest) ? value : secret,
        ]),
      );
    return {
      form,
      signing: {
        ...signing,
        guests: signing.guests.map((guest, index) => ({ ...guest, answers: hide(guest.answers, index) })),
        signer: { ...signing.signer, answers: hide(signing.signer.answers, null) },
      },
    };
  }

  test('is accepted, makes a waiver for each guest, and no hidden answer reaches it', () => {
    fc.assert(
      fc.property(example, fc.boolean(), picks, (chosen, withChildren, numbers) => {
        const { form, signing: one } = sent(chosen, withChildren, numbers);
        const checked = checkSigning(form, one, day, sentences);
        if (!checked.ok) throw new Error(`${chosen.trade}: ${JSON.stringify(checked.problems)}`);
        expect(checked.result.waivers).toHaveLength(one.guests.length);
        expect(JSON.stringify(checked.result)).not.toContain(secret);
      }),
      { numRuns: 300 },
    );
  });

  test('has no health answer in a waiver', () => {
    fc.assert(
      fc.property(example, fc.boolean(), picks, (chosen, withChildren, numbers) => {
        const { form, signing: one } = sent(chosen, withChildren, numbers);
        const checked = checkSigning(form, one, day, sentences);
        const health = form.pages
          .flatMap(({ items }) => items)
          .filter((of) => of.type === 'ask' && of.sensitive === 'health')
          .map((of) => of.id);
        for (const { answers: stored } of checked.ok ? checked.result.waivers : []) {
          expect(Object.keys(stored).filter((name) => health.includes(name))).toEqual([]);
        }
      }),
    );
  });
});
