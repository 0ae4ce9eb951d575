import { describe, expect, test } from 'vitest';
import type { FormContent, Item, When } from '../src/content.ts';
import { formProblems } from '../src/index.ts';
import {
  adultsOnly,
  agree,
  ask,
  bornItem,
  choice,
  families,
  formWith,
  nameItem,
  page,
  read,
  sign,
} from './small-form.ts';

/** Problems as `path: message`. */
const said = (content: FormContent, earlier: readonly FormContent[] = []) =>
  formProblems(content, earlier).map(({ path, message }) => `${path}: ${message}`);
/** The path of the first item that a test adds. */
const added = 'pages[0].items[2]';
const end = [agree('electronic'), sign('guest'), sign('guardian')];
const withEnd = (items: readonly Item[], more: Partial<FormContent> = {}) =>
  formWith([], { pages: [page('you', [nameItem, bornItem]), page('end', items)], ...more });

test('a form that is right has no problem', () => {
  expect(said(formWith())).toEqual([]);
});

test('all problems are named at once', () => {
  const content = formWith([read('text', { text: {} }), agree('marketing'), ask('id', 'text')]);
  expect(said(content)).toHaveLength(3);
});

describe('texts', () => {
  test('are in all languages', () => {
    const text = (more: Record<string, string>) =>
      formWith([read('text', { text: more })], { languages: ['en', 'de'] });
    expect(said(text({ en: 'x', de: ' ' }))).toContain(`${added}.text: is missing in the language de`);
    expect(said(text({ de: 'x' }))).toContain(`${added}.text: is missing in the language en`);
    expect(said(text({ en: 'x', de: 'x' }))).not.toContainEqual(expect.stringContaining(`${added}.text`));
  });

  test('of every place are looked at', () => {
    const de = said(
      formWith([ask('a', 'choice', { help: { en: 'x' }, options: [{ id: 'o', label: { en: 'x' } }] })], {
        languages: ['en', 'de'],
      }),
    ).map((problem) => problem.split(':')[0]);
    expect(de).toEqual([
      'pages[0].title',
      'pages[1].title',
      'pages[0].items[0].label',
      'pages[0].items[1].label',
      `${added}.label`,
      `${added}.help`,
      `${added}.options[0].label`,
      'pages[1].items[0].text',
      'pages[1].items[1].statement',
      'pages[1].items[2].statement',
    ]);
  });

  test.each(['see https://example.com', 'HTTP://x', 'on www.example.com', '[here](terms)'])(
    'have no links: %s',
    (text) => {
      expect(said(formWith([read('text', { text: { en: text } })]))).toEqual([
        expect.stringContaining(`${added}.text.en: has a link`),
      ]);
    },
  );

  test.each(['<b>bold</b>', 'a<br/>b', '<IMG src=x>', '</p>'])('have no HTML: %s', (text) => {
    expect(said(formWith([read('text', { text: { en: text } })]))).toEqual([
      expect.stringContaining(`${added}.text.en: has HTML`),
    ]);
  });

  test.each(['less than <3 metres', 'a < b', 'HTTP is a protocol', '(see) [below]'])(
    'may have %s',
    (text) => {
      expect(said(formWith([read('text', { text: { en: text } })]))).toEqual([]);
    },
  );

  test('have distinct languages, among them the binding one', () => {
    expect(said(formWith([], { languages: ['en', 'en'] }))).toEqual(['languages: have a language twice']);
    expect(said(formWith([], { binding: 'de' }))).toEqual([
      'binding: is de, which is not among the languages',
    ]);
    expect(said(formWith([], { binding: 'en' }))).toEqual([]);
  });
});

describe('ids', () => {
  test('are used once', () => {
    expect(said(formWith([read('text'), read('text')]))).toEqual([
      'pages[0].items[3].id: text is used twice',
    ]);
    expect(said(formWith([read('electronic')]))).toEqual(['pages[1].items[0].id: electronic is used twice']);
    const pages = [page('you', [nameItem, bornItem]), page('you', end)];
    expect(said(formWith([], { pages }))).toEqual(['pages[1].id: you is used twice']);
    expect(said(formWith([choice('size', ['s', 'm', 's'])]))).toEqual([
      `${added}.options: have the id s twice`,
    ]);
  });

  test('are no names of the record, nor of named answers', () => {
    for (const id of ['id', 'pool', 'bookingId', 'currentPage', 'feedback', 'minor', 'guardianName']) {
      expect(said(formWith([ask(id, 'text')])), id).toEqual([`${added}.id: ${id} is set by the service`]);
    }
    expect(said(formWith([ask('email', 'text')]))).toEqual([
      `${added}.id: email is a named answer: set its property, or choose another id`,
    ]);
    expect(said(formWith([ask('email', 'email', { property: 'email' })]))).toEqual([]);
    expect(said(formWith([read('pool'), ask('constructor', 'text')]))).toEqual([]);
  });

  test('store each answer under another name', () => {
    const content = formWith([
      ask('a', 'email', { property: 'email' }),
      ask('b', 'email', { property: 'email' }),
    ]);
    expect(said(content)).toEqual(['pages[0].items[3]: is stored as email, as another question is']);
  });

  test.each([
    ['a question (text, no property, not sensitive)', ask('a', 'text'), 'a text', read('a')],
    [
      'a question (text, no property, not sensitive)',
      ask('a', 'text'),
      'a question (number, no property, not sensitive)',
      ask('a', 'number'),
    ],
    [
      'a question (text, notes, not sensitive)',
      ask('a', 'text', { property: 'notes' }),
      'a question (text, no property, not sensitive)',
      ask('a', 'text'),
    ],
    ['a consent (terms)', agree('terms', { id: 'a' }), 'a consent (privacy)', agree('privacy', { id: 'a' })],
  ])('keep their meaning: %s', (was, former, is, next) => {
    const content = formWith([next]);
    expect(said(content, [formWith(), formWith([former])])).toEqual([
      `${added}.id: a was ${was} and is ${is} now: choose another id`,
    ]);
    expect(said(content, [content])).toEqual([]);
  });

  test('keep their meaning: health and signatures', () => {
    const health = [agree('health'), ask('a', 'text', { sensitive: 'health' })];
    expect(said(formWith([ask('a', 'text')]), [formWith(health)])).toHaveLength(1);
    const other = withEnd([
      agree('electronic'),
      sign('guardian', { id: 'guestSignature' }),
      sign('guest', { id: 'x' }),
    ]);
    expect(said(other, [formWith()])).toEqual([
      expect.stringContaining('guestSignature was a signature (guest) and is a signature (guardian) now'),
    ]);
  });
});

describe('people', () => {
  const rules = (people: Partial<FormContent['people']>, more: Partial<FormContent> = {}) =>
    said(formWith([], { people: { ...families, ...people }, ...more }));
  const adults = { people: adultsOnly, guardian: undefined };

  test.each([
    ['neither', { adults: false, minors: 'no' }, 'people: allow neither adults nor minors'],
    ['contradicting ages', { minAge: 12, maxAge: 11, adults: false }, 'people.minAge: is above'],
    ['adults who are too old', { maxAge: 17 }, 'people.adults: may take part, but the maximum age is 17'],
    ['minors who are too young', { minAge: 18 }, 'people.minors: may take part, but the minimum age is 18'],
    ['no minors in number', { maxMinors: 0 }, 'people.maxMinors: is 0'],
    ['minors who sign as adults', { minorSignsFrom: 18 }, 'people.minorSignsFrom: applies'],
    [
      'minors who sign alone anyway',
      { minors: 'alone', minorSignsFrom: 14 },
      'people.minorSignsFrom: applies',
    ],
  ] as const)('are not %s', (_, people, message) => {
    expect(rules(people)).toContainEqual(expect.stringContaining(message));
  });

  test('may be of ages at the limits', () => {
    expect(rules({ minAge: 17, maxAge: 18, minorSignsFrom: 17, maxMinors: 1 })).toEqual([]);
    expect(
      rules(
        { minAge: 10, maxAge: 10, adults: false },
        { pages: withEnd([agree('electronic'), sign('guardian')]).pages },
      ),
    ).toEqual([]);
  });

  test('need to know what a guardian is asked', () => {
    expect(rules({}, { guardian: undefined })).toEqual([expect.stringContaining('guardian: is missing')]);
  });

  test('have signatures of those who sign', () => {
    expect(said(withEnd([agree('electronic'), sign('guardian')]))).toEqual([
      'pages: lack a signature of guests, who may sign this form',
    ]);
    expect(said(withEnd([agree('electronic'), sign('guest')]))).toEqual([
      'pages: lack a signature of guardians, who may sign this form',
    ]);
    const alone = { people: { ...families, minors: 'alone' }, guardian: undefined } as const;
    expect(
      said(withEnd([agree('electronic')], { ...alone, people: { ...alone.people, adults: false } })),
    ).toEqual(['pages: lack a signature of guests, who may sign this form']);
    expect(said(withEnd([agree('electronic'), sign('guest')], adults))).toEqual([]);
  });

  test('have no signatures that are never asked for', () => {
    expect(said(withEnd(end, adults))).toEqual([
      'pages[1].items[2]: is never shown: no guardians sign this form',
    ]);
    const children = { people: { ...families, adults: false } };
    expect(said(withEnd(end, children))).toEqual([
      'pages[1].items[1]: is never shown: no guests sign this form',
    ]);
    expect(said(withEnd(end, { people: { ...children.people, minorSignsFrom: 14 } }))).toEqual([]);
  });

  test('have signatures without a condition', () => {
    const when: When = { ageBelow: 16 };
    expect(said(withEnd([agree('electronic'), sign('guest', { when }), sign('guardian')]))).toEqual([
      'pages: have a signature of guests only under a condition',
    ]);
    const conditional = page('end', [sign('guest'), sign('guardian')], { when });
    const pages = [page('you', [nameItem, bornItem, agree('electronic')]), conditional];
    expect(said(formWith([], { pages }))).toEqual([
      'pages: have a signature of guests only under a condition',
      'pages: have a signature of guardians only under a condition',
    ]);
    const second = sign('guest', { id: 'second', when });
    expect(said(withEnd([...end, second]))).toEqual([]);
  });

  test('are asked for their name and, where it matters, for their birth date', () => {
    const pages = (items: readonly Item[]) => [
      page('you', items),
      page('end', [agree('electronic'), sign('guest')]),
    ];
    const without = (items: readonly Item[], people: Partial<FormContent['people']> = {}) =>
      said(formWith([], { ...adults, people: { ...adultsOnly, ...people }, pages: pages(items) }));
    const lack = (property: string, why: string) =>
      `pages: have no question with the property ${property}, ${why}`;
    expect(without([nameItem])).toEqual([]);
    expect(without([bornItem])).toEqual([lack('name', 'since every waiver has one')]);
    const ages = [lack('dateOfBirth', 'since ages matter in this form')];
    expect(without([nameItem], { minAge: 12 })).toEqual(ages);
    expect(without([nameItem], { maxAge: 70 })).toEqual(ages);
    expect(without([nameItem], { minors: 'alone' })).toEqual(ages);
    expect(without([nameItem, read('text', { when: { not: { ageBelow: 60 } } })])).toContain(ages[0]);
    const nested: When = { any: [{ all: [{ ageBelow: 60 }, { activity: ['y'] }] }, { activity: ['x'] }] };
    expect(without([nameItem, read('text', { when: nested })])).toContain(ages[0]);
  });

  test.each([
    ['required', { required: false }],
    ['asked per guest', { per: 'signer' }],
    ['without a condition', { when: { activity: ['x'] } }],
  ] as const)('have a name and a birth date that is %s', (_, change) => {
    for (const [index, changed] of [
      [{ ...nameItem, ...change }, bornItem],
      [nameItem, { ...bornItem, ...change }],
    ].entries()) {
      const content = formWith([], { pages: [page('you', changed), page('end', end)] });
      expect(said(content)).toEqual([
        `pages[0].items[${index}]: must be required, asked per guest, and without a condition`,
      ]);
    }
  });
});

describe('questions', () => {
  const options = [{ id: 'x', label: { en: 'x' } }];
  test.each([
    ['options of a choice', ask('a', 'choice'), 'options: are missing'],
    ['options of choices', ask('a', 'choices'), 'options: are missing'],
    ['no options else', ask('a', 'text', { options }), 'options: have no meaning for the kind text'],
    [
      'a kind that fits the property',
      ask('a', 'text', { property: 'email' }),
      'property: email must be of kind email',
    ],
    ['days for health only', ask('a', 'text', { keepDays: 3 }), 'keepDays: applies to health answers only'],
    [
      'flags that are answers',
      ask('a', 'yesno', { flag: { on: ['maybe', 'yes'], label: 'x' } }),
      'flag: names maybe',
    ],
    ['flags of options', choice('a', ['s'], { flag: { on: ['m'], label: 'x' } }), 'flag: names m'],
    ['flags of lists only', ask('a', 'text', { flag: { on: ['x'], label: 'x' } }), 'flag: names x'],
    ['min below max', ask('a', 'number', { min: 2, max: 1 }), 'min: is above max'],
    ['whole lengths', ask('a', 'text', { min: 1.5 }), 'has a limit that is not a whole number'],
    ['whole numbers', ask('a', 'number', { max: 4.5 }), 'has a limit that is not a whole number'],
    ['lengths of 0 or more', ask('a', 'long', { min: -1 }), 'has a limit that is not a whole number'],
    ['lengths that fit', ask('a', 'text', { max: 201 }), 'has a limit above 200'],
    ['lengths that fit a long text', ask('a', 'long', { max: 4001 }), 'has a limit above 4000'],
    ['as many choices as options', choice('a', ['s'], { kind: 'choices', min: 2 }), 'has a limit above 1'],
    ['something to choose', choice('a', ['s'], { kind: 'choices', max: 0 }), 'max: is 0'],
    [
      'limits where they mean something',
      ask('a', 'date', { min: 1 }),
      'has a limit, but answers of kind date',
    ],
    ['heights that exist', ask('a', 'number', { property: 'height', max: 301 }), 'has a limit above 300'],
    ['weights above 0', ask('a', 'number', { property: 'weight', min: 0 }), 'min: must be above 0'],
    ['heights above 0', ask('a', 'number', { property: 'height', min: -5 }), 'min: must be above 0'],
  ])('have %s', (_, item, message) => {
    const problems = said(formWith([item]));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(
      message.startsWith('has ') ? `${added}: ${message}` : `${added}.${message}`,
    );
  });

  test.each([
    ask('a', 'number', { min: -1, max: 5000 }),
    ask('a', 'number', { property: 'height', min: 1, max: 300 }),
    ask('a', 'text', { min: 0, max: 200 }),
    ask('a', 'text', { min: 5, max: 5 }),
    ask('a', 'long', { max: 4000, property: 'notes' }),
    choice('a', ['s', 'm'], { kind: 'choices', min: 2, max: 2 }),
    ask('a', 'yesno', { flag: { on: ['yes', 'no'], label: 'x' } }),
    ask('a', 'date'),
  ])('are right: $kind $min $max $property', (item) => {
    expect(said(formWith([item]))).toEqual([]);
  });

  test('ask for as many photos as a signing may have', () => {
    const photos = (count: number, per: 'guest' | 'signer' = 'guest') =>
      said(formWith(Array.from({ length: count }, (_, index) => ask(`p${index}`, 'photo', { per }))));
    expect(photos(3)).toEqual([]);
    expect(photos(4)).toEqual(['pages: ask for up to 16 photos in one signing, where 12 is the most']);
    expect(photos(12, 'signer')).toEqual([]);
    const adult = Array.from({ length: 12 }, (_, index) => ask(`p${index}`, 'photo'));
    const adults = withEnd([...adult, agree('electronic'), sign('guest')], {
      people: { ...adultsOnly, maxMinors: 5 },
      guardian: undefined,
    });
    expect(said(adults)).toEqual([]);
  });
});

describe('consents', () => {
  const lack =
    'pages: lack a required consent of act electronic, without a condition, above the first signature';

  test('to sign electronically are required, above the signatures', () => {
    expect(said(withEnd([sign('guest'), sign('guardian')]))).toEqual([lack]);
    expect(
      said(withEnd([agree('electronic', { required: false }), sign('guest'), sign('guardian')])),
    ).toEqual([lack]);
    expect(said(withEnd([agree('terms'), sign('guest'), sign('guardian')]))).toEqual([lack]);
    expect(said(withEnd([sign('guest'), agree('electronic'), sign('guardian')]))).toEqual([lack]);
    const conditional = agree('electronic', { when: { ageBelow: 18 } });
    expect(said(withEnd([conditional, sign('guest'), sign('guardian')]))).toEqual([lack]);
    expect(said(withEnd([agree('electronic')], { people: { ...adultsOnly } }))).toEqual([
      'pages: lack a signature of guests, who may sign this form',
    ]);
  });

  test.each(['marketing', 'photos'] as const)('to %s are free', (act) => {
    expect(said(formWith([agree(act)]))).toEqual([
      `${added}.required: a consent to ${act} must be free: it cannot be required`,
    ]);
    expect(said(formWith([agree(act, { required: false })]))).toEqual([]);
  });

  const asthma = ask('asthma', 'yesno', { sensitive: 'health', keepDays: 3 });
  const needs = expect.stringContaining('is a health question: it needs a required consent');

  test('to health are above its questions', () => {
    expect(said(formWith([agree('health'), asthma]))).toEqual([]);
    expect(said(formWith([asthma, agree('health')]))).toEqual([needs]);
    expect(said(formWith([asthma]))).toEqual([needs]);
    expect(said(formWith([agree('terms'), asthma]))).toEqual([needs]);
    expect(said(formWith([agree('health', { required: false }), asthma]))).toEqual([needs]);
  });

  test('to health are shown whenever its questions are', () => {
    const when: When = { ageBelow: 60 };
    const conditional = agree('health', { when });
    expect(said(formWith([conditional, asthma]))).toEqual([needs]);
    expect(said(formWith([conditional, { ...asthma, when }]))).toEqual([]);
    expect(said(formWith([agree('health'), { ...asthma, when }]))).toEqual([]);
    const ofPages = (items: readonly Item[], other: readonly Item[], otherWhen?: When) =>
      said(
        formWith([], {
          pages: [
            page('you', [nameItem, bornItem]),
            page('health', items, { when }),
            page('more', other, { when: otherWhen }),
            page('end', end),
          ],
        }),
      );
    expect(ofPages([agree('health'), asthma], [read('x')])).toEqual([]);
    expect(ofPages([agree('health')], [asthma], when)).toEqual([]);
    expect(ofPages([agree('health')], [asthma])).toEqual([needs]);
  });

  test('health questions fill no named answer and are no photos', () => {
    const health = (item: Item) => said(formWith([agree('health'), item]));
    expect(health(ask('a', 'text', { sensitive: 'health', property: 'notes' }))).toEqual([
      'pages[0].items[3].property: is part of a waiver, which a health answer never is',
    ]);
    expect(health(ask('a', 'photo', { sensitive: 'health' }))).toEqual([
      'pages[0].items[3].sensitive: photos cannot be health answers',
    ]);
  });

  test('what a health answer shows reveals it in no act and no waiver', () => {
    const when: When = { answer: 'asthma', in: ['yes'] };
    const revealing = (item: Item) => said(formWith([agree('health'), asthma, item]));
    const refused = [expect.stringContaining('pages[0].items[4].when: depends on a health answer')];
    expect(revealing(read('a', { when }))).toEqual([]);
    expect(revealing(ask('a', 'text', { sensitive: 'health', when }))).toEqual([]);
    expect(revealing(read('a', { when, initials: true }))).toEqual(refused);
    expect(revealing(agree('terms', { when }))).toEqual(refused);
    expect(revealing(sign('guest', { id: 'a', when }))).toEqual(expect.arrayContaining(refused));
    expect(revealing(ask('a', 'text', { when }))).toEqual(refused);
  });
});

describe('conditions', () => {
  const about = (when: When, above: readonly Item[] = [], more: Partial<FormContent> = {}) =>
    said(formWith([...above, read('text', { when })], more));
  const at = (index: number) => `pages[0].items[${index}].when`;

  test('look at questions above', () => {
    const when: When = { answer: 'swims', in: ['yes'] };
    expect(about(when, [ask('swims', 'yesno')])).toEqual([]);
    expect(about(when)).toEqual([`${at(2)}: looks at swims, which is no question of this form`]);
    expect(said(formWith([read('text', { when }), ask('swims', 'yesno')]))).toEqual([
      `${at(2)}: looks at swims, which is no question above: conditions look backwards only`,
    ]);
    expect(said(formWith([ask('swims', 'yesno', { when })]))).toEqual([
      `${at(2)}: looks at swims, which is no question above: conditions look backwards only`,
    ]);
    expect(about({ answer: 'other', in: ['yes'] }, [read('other')])).toEqual([
      `${at(3)}: looks at other, which is no question of this form`,
    ]);
  });

  test('of a page look at pages above', () => {
    const when: When = { answer: 'swims', in: ['yes'] };
    const pages = (first: FormContent['pages'][number], second: FormContent['pages'][number]) =>
      said(formWith([], { pages: [page('you', [nameItem, bornItem]), first, second, page('end', end)] }));
    const asking = page('asking', [ask('swims', 'yesno')]);
    expect(pages(asking, page('more', [read('text')], { when }))).toEqual([]);
    expect(pages(page('more', [read('text')], { when }), asking)).toEqual([
      'pages[1].when: looks at swims, which is no question above: conditions look backwards only',
    ]);
    expect(pages(page('more', [read('text')]), { ...asking, when })).toEqual([
      'pages[2].when: looks at swims, which is no question above: conditions look backwards only',
    ]);
  });

  test('name answers that there are', () => {
    expect(about({ answer: 'size', in: ['s', 'x', 'y'] }, [choice('size', ['s'])])).toEqual([
      `${at(3)}: names x, y, which size cannot be answered with`,
    ]);
    expect(about({ answer: 'swims', in: ['maybe'] }, [ask('swims', 'yesno')])).toEqual([
      `${at(3)}: names maybe, which swims cannot be answered with`,
    ]);
    expect(about({ answer: 'country', in: ['DE'] }, [ask('country', 'country')])).toEqual([]);
    expect(about({ answer: 'name', in: ['Zoë'] })).toEqual([
      `${at(2)}: looks at name, whose answers are not from a list`,
    ]);
  });

  test('name activities of the form', () => {
    const activities = { activities: ['lake', 'sea'] };
    expect(about({ activity: ['sea'] }, [], activities)).toEqual([]);
    expect(about({ activity: ['sea', 'river'] }, [], activities)).toEqual([
      `${at(2)}: names river, which is no activity of this form`,
    ]);
    expect(about({ activity: ['river'] })).toEqual([]);
  });

  test('on ages stand below the question', () => {
    expect(about({ ageBelow: 9 })).toEqual([]);
    const early = page('you', [read('text', { when: { ageBelow: 9 } }), nameItem, bornItem]);
    expect(said(formWith([], { pages: [early, page('end', end)] }))).toEqual([
      `${at(0)}: looks at the age, but the date of birth is not asked above`,
    ]);
  });

  test('are looked at in all their parts', () => {
    const wrong: When = { answer: 'none', in: ['x'] };
    const message = `${at(2)}: looks at none, which is no question of this form`;
    expect(about({ all: [{ any: [wrong, { not: wrong }] }] })).toEqual([message, message]);
  });
});

describe('what is never shown is refused', () => {
  const swims = ask('swims', 'yesno');
  const size = choice('size', ['s', 'm']);
  const several = choice('several', ['a', 'b', 'c'], { kind: 'choices' });
  const yes: When = { answer: 'swims', in: ['yes'] };
  const never = 'never holds: the item can never be shown';
  const about = (when: When, more: Partial<FormContent> = {}) =>
    said(formWith([swims, size, several, ask('country', 'country'), read('text', { when })], more));

  test.each<When>([
    { all: [yes, { answer: 'swims', in: ['no'] }] },
    { all: [yes, { not: yes }] },
    {
      all: [
        { answer: 'size', in: ['s'] },
        { answer: 'size', in: ['m'] },
      ],
    },
    { all: [{ ageBelow: 9 }, { not: { ageBelow: 9 } }] },
    { all: [{ not: { ageBelow: 12 } }, { ageBelow: 9 }] },
    { all: [{ activity: ['a'] }, { not: { activity: ['a', 'b'] } }] },
    {
      all: [
        { answer: 'country', in: ['DE'] },
        { answer: 'country', in: ['AT'] },
      ],
    },
    { all: [{ answer: 'several', in: ['a'] }, { not: { answer: 'several', in: ['a', 'b'] } }] },
    { ageBelow: 0 },
    { not: { any: [yes, { not: yes }] } },
  ])('%j', (when) => {
    expect(about(when)).toEqual([`pages[0].items[6].when: ${never}`]);
  });

  test.each<When>([
    { all: [yes, { answer: 'size', in: ['s'] }] },
    { not: yes },
    { all: [{ not: yes }, { not: { answer: 'swims', in: ['no'] } }] },
    { all: [{ not: { answer: 'size', in: ['s'] } }, { not: { answer: 'size', in: ['m'] } }] },
    { all: [{ not: { ageBelow: 9 } }, { ageBelow: 10 }] },
    { all: [{ activity: ['a'] }, { activity: ['b'] }, { not: { activity: ['c'] } }] },
    {
      all: [
        { answer: 'several', in: ['a'] },
        { answer: 'several', in: ['b'] },
        { not: { answer: 'several', in: ['c'] } },
      ],
    },
    { ageBelow: 1 },
    { not: { ageBelow: 120 } },
  ])('but not %j', (when) => {
    expect(about(when)).toEqual([]);
  });

  test('by the ages of those who take part', () => {
    const people = (more: Partial<FormContent['people']>) => ({ people: { ...families, ...more } });
    const refused = [`pages[0].items[6].when: ${never}`];
    expect(about({ ageBelow: 7 }, people({ minAge: 7 }))).toEqual(refused);
    expect(about({ ageBelow: 8 }, people({ minAge: 7 }))).toEqual([]);
    expect(about({ not: { ageBelow: 60 } }, people({ maxAge: 59 }))).toEqual(refused);
    expect(about({ not: { ageBelow: 59 } }, people({ maxAge: 59 }))).toEqual([]);
    const children = people({ adults: false, minorSignsFrom: 12 });
    expect(about({ not: { ageBelow: 18 } }, children)).toEqual(refused);
    expect(about({ not: { ageBelow: 17 } }, children)).toEqual([]);
    const pages = (when: When) => ({
      ...people({ minors: 'no' }),
      guardian: undefined,
      pages: [
        page('you', [nameItem, bornItem, read('text', { when })]),
        page('end', [agree('electronic'), sign('guest')]),
      ],
    });
    expect(said(formWith([], pages({ ageBelow: 18 })))).toEqual([`pages[0].items[2].when: ${never}`]);
    expect(said(formWith([], pages({ ageBelow: 19 })))).toEqual([]);
  });

  test('by the page on which it is', () => {
    const pages = (ofPage: When, ofItem: When) =>
      said(
        formWith([], {
          pages: [
            page('you', [nameItem, bornItem, swims]),
            page('more', [read('first'), read('text', { when: ofItem })], { when: ofPage }),
            page('end', end),
          ],
        }),
      );
    expect(pages(yes, { answer: 'swims', in: ['no'] })).toEqual([`pages[1].items[1].when: ${never}`]);
    expect(pages(yes, yes)).toEqual([]);
    expect(pages({ all: [yes, { not: yes }] }, yes)).toEqual([
      'pages[1].when: never holds: the page can never be shown',
    ]);
  });

  test('unless there are too many cases to try', () => {
    const questions = Array.from({ length: 9 }, (_, index) => ask(`q${index}`, 'yesno'));
    const all = (count: number): When => ({
      all: [
        { not: yes },
        yes,
        { any: questions.slice(0, count).map(({ id }): When => ({ answer: id, in: ['yes'] })) },
      ],
    });
    const manyActivities: When = {
      all: [yes, { not: yes }, { activity: Array.from({ length: 13 }, (_, index) => `a${index}`) }],
    };
    const of = (when: When) => said(formWith([swims, ...questions, read('text', { when })]));
    expect(of(all(5))).toEqual([expect.stringContaining(never)]);
    expect(of(all(9))).toEqual([]);
    expect(of(manyActivities)).toEqual([]);
  });
});

test('a page has items', () => {
  const pages = [page('you', [nameItem, bornItem]), page('empty', []), page('end', end)];
  expect(said(formWith([], { pages }))).toEqual(['pages[1].items: are missing']);
});
