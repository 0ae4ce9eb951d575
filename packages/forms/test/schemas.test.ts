import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { exampleForms } from '../src/examples/index.ts';
import { formContentSchema, formLimits, signingLimits, signingSchema } from '../src/index.ts';
import { signed } from '../src/testing/index.ts';
import { ask, formWith, nameItem, page, read } from './small-form.ts';

type Path = readonly (string | number)[];

/** A copy with another value at a path. */
function withValue(value: unknown, [first, ...rest]: Path, next: unknown): unknown {
  if (first === undefined) return next;
  if (Array.isArray(value))
    return value.map((one, index) => (index === first ? withValue(one, rest, next) : one));
  const fields = typeof value === 'object' && value !== null ? value : {};
  return { ...fields, [first]: withValue(Reflect.get(fields, first), rest, next) };
}

/** Whether a schema refuses a value, at the path where it was changed. */
function refuses(schema: z.ZodType, value: unknown, path: Path): boolean {
  const { success, error } = schema.safeParse(value);
  if (success) return false;
  const paths = error.issues.map((issue) => issue.path);
  expect(
    paths.some((found) => path.every((part, index) => found[index] === undefined || found[index] === part)),
  ).toBe(true);
  return true;
}

const times = <Value>(count: number, of: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => of(index));
const at = '2026-06-30T08:00:00Z';

describe('a signing', () => {
  const content = formWith([ask('photo', 'photo'), read('risks', { initials: true })]);
  const signing = signed(content, ['1990-01-01', '2016-01-01'], { takesPart: false });
  const draw = (strokes: unknown) => ({
    item: 'a',
    guest: 0,
    at,
    act: 'sign',
    method: 'draw',
    strokes,
    width: 300,
    height: 100,
  });
  const stroke = (points: number) => times(points, () => [1, 2, 3]);
  const photo = (data: string, id = 'p') => ({ id, type: 'image/png', data });
  const answers = (count: number) => Object.fromEntries(times(count, (index) => [`a${index}`, 'x']));
  const { guests } = signing;

  test('is accepted', () => {
    expect(signingSchema.parse(signing)).toEqual(signing);
  });

  const limits: readonly (readonly [path: Path, right: unknown, wrong: unknown])[] = [
    [['id'], signing.id, 'not-a-uuid'],
    [['form'], 'x'.repeat(128), 'x'.repeat(129)],
    [['form'], 'x', ''],
    [['form'], 'x', 'x\u0000'],
    [['version'], 1_000_000_000, 1_000_000_001],
    [['version'], 1, 0],
    [['version'], 1, 1.5],
    [['language'], 'x'.repeat(40), 'x'.repeat(41)],
    [['language'], 'en', ''],
    [
      ['guests'],
      times(signingLimits.guests, () => guests[0]),
      times(signingLimits.guests + 1, () => guests[0]),
    ],
    [['guests'], guests, []],
    [['guests'], [{ ...guests[0], bookingGuestId: 'a' }], [{ ...guests[0], bookingGuestId: '' }]],
    [
      ['guests'],
      ['a', 'b'].map((bookingGuestId) => ({ ...guests[0], bookingGuestId })),
      ['a', 'a'].map((bookingGuestId) => ({ ...guests[0], bookingGuestId })),
    ],
    [['guests', 0, 'bookingGuestId'], 'x'.repeat(256), 'x'.repeat(257)],
    [['guests', 0, 'answers'], answers(200), answers(201)],
    [['guests', 0, 'answers'], { ['x'.repeat(64)]: 1 }, { ['x'.repeat(65)]: 1 }],
    [['guests', 0, 'answers'], { x: 1 }, { '': 1 }],
    [['guests', 0, 'answers', 'name'], 'x'.repeat(4000), 'x'.repeat(4001)],
    [['guests', 0, 'answers', 'name'], '\ud83d\ude00', '\ud83d'],
    [['guests', 0, 'answers', 'name'], 1.5, Number.POSITIVE_INFINITY],
    [['guests', 0, 'answers', 'name'], false, null],
    [['guests', 0, 'answers', 'name'], times(100, () => 'x'), times(101, () => 'x')],
    [['guests', 0, 'answers', 'name'], ['x'.repeat(64)], ['x'.repeat(65)]],
    [['guests', 0, 'answers', 'name'], [], [['x']]],
    [['guests', 0, 'answers', 'name'], [], { x: 'y' }],
    [['signer', 'takesPart'], true, 'yes'],
    [['signer', 'answers'], answers(200), answers(201)],
    [['signer', 'guardian', 'name'], 'x'.repeat(200), 'x'.repeat(201)],
    [['signer', 'guardian', 'relationship'], 'x'.repeat(200), 'x'.repeat(201)],
    [['signer', 'guardian', 'dateOfBirth'], 'x'.repeat(10), 'x'.repeat(11)],
    [['signer', 'guardian', 'ofAge'], true, false],
    [['acts'], times(500, () => signing.acts[0]), times(501, () => signing.acts[0])],
    [['acts', 0, 'item'], 'x'.repeat(64), 'x'.repeat(65)],
    [['acts', 0, 'guest'], 20, 21],
    [['acts', 0, 'guest'], null, -1],
    [['acts', 0, 'at'], at, '2026-06-30T08:00:00+02:00'],
    [['acts', 0, 'act'], 'initial', 'jump'],
    [
      ['acts', 0],
      { item: 'a', guest: null, at, act: 'initial', initials: 'x'.repeat(10) },
      { item: 'a', guest: null, at, act: 'initial', initials: 'x'.repeat(11) },
    ],
    [
      ['acts', 0],
      { item: 'a', guest: null, at, act: 'sign', method: 'type', name: 'x'.repeat(200) },
      { item: 'a', guest: null, at, act: 'sign', method: 'type', name: 'x'.repeat(201) },
    ],
    [['acts', 0], draw(times(200, () => stroke(1))), draw(times(201, () => stroke(1)))],
    [['acts', 0], draw([stroke(4999), stroke(1)]), draw([stroke(4999), stroke(2)])],
    [['acts', 0], draw([stroke(1)]), draw([[]])],
    [['acts', 0], draw([[[10_000, -10_000, 3_600_000]]]), draw([[[10_001, 0, 0]]])],
    [['acts', 0], draw([[[0, 0, 0]]]), draw([[[0, -10_001, 0]]])],
    [['acts', 0], draw([[[0, 0, 0]]]), draw([[[0, 0, 3_600_001]]])],
    [['acts', 0], draw([[[0, 0, 0]]]), draw([[[0, 0, -1]]])],
    [['acts', 0], draw([[[0, 0, 0]]]), draw([[[0.5, 0, 0]]])],
    [['acts', 0], { ...draw([]), width: 10_000, height: 1 }, { ...draw([]), width: 10_001 }],
    [['acts', 0], draw([]), { ...draw([]), height: 0 }],
    [
      ['photos'],
      times(12, (index) => photo('AAAA', `p${index}`)),
      times(13, (index) => photo('AAAA', `p${index}`)),
    ],
    [['photos'], [photo('AAAA', 'a'), photo('AAAA', 'b')], [photo('AAAA', 'a'), photo('AAAA', 'a')]],
    [['photos', 0], photo('AAAA'), { ...photo('AAAA'), type: 'image/gif' }],
    [['photos', 0], photo('iVBORw=='), photo('iVBORw=')],
    [['photos', 0], photo('AAAAAAA='), photo('AAAA AAA')],
    [['photos', 0], photo('AAAA'), photo('')],
    [['photos', 0], photo('AAAA'), photo('!AAAA')],
    // 409,600 bytes are 546,133 characters and a half: 546,136 with padding.
    [['photos', 0], photo(`${'A'.repeat(546_134)}==`), photo(`${'A'.repeat(546_135)}=`)],
    [['photos', 0], photo('AAAA'), photo('A'.repeat(546_140))],
    [['times', 'openedAt'], at, 'yesterday'],
    [['times', 'signedAt'], at, '2026-06-30'],
    [['times', 'pages'], times(300, () => ({ page: 'a', at })), times(301, () => ({ page: 'a', at }))],
    [['times', 'pages'], [{ page: 'x'.repeat(64), at }], [{ page: 'x'.repeat(65), at }]],
  ];
  test.each(limits.map(([path, right, wrong]) => ({ path: path.join('.'), parts: path, right, wrong })))(
    'has a limit: $path',
    ({ parts, right, wrong }) => {
      expect(refuses(signingSchema, withValue(signing, parts, right), parts)).toBe(false);
      expect(refuses(signingSchema, withValue(signing, parts, wrong), parts)).toBe(true);
    },
  );

  test.each([
    [[]],
    [['signer']],
    [['signer', 'guardian']],
    [['guests', 0]],
    [['acts', 0]],
    [['photos', 0]],
    [['times']],
  ])('has no unknown field in %j', (path: Path) => {
    expect(refuses(signingSchema, withValue(signing, [...path, 'unknown'], 1), path)).toBe(true);
  });
});

describe('a form', () => {
  const item = { ...ask('a', 'choice'), options: [{ id: 's', label: { en: 'S' } }] };
  const content = formWith([item, read('text'), { ...nameItem, when: { answer: 'a', in: ['s'] } }]);
  const asked: Path = ['pages', 0, 'items', 2];
  const text: Path = ['pages', 0, 'items', 3];
  const when: Path = ['pages', 0, 'items', 4, 'when'];
  const nested = (depth: number, inner: unknown = { ageBelow: 9 }): unknown =>
    depth === 0 ? inner : { not: nested(depth - 1, inner) };
  const languages = (count: number) => times(count, (index) => `a${String.fromCharCode(97 + index)}`);
  const items = (count: number) => times(count, (index) => read(`i${index}`));

  test('is accepted, also while it is a draft with nothing in it', () => {
    expect(formContentSchema.parse(content)).toEqual(content);
    const empty = formWith([], { pages: [page('you', [])] });
    expect(formContentSchema.parse(empty)).toEqual(empty);
    for (const { content: example } of exampleForms)
      expect(formContentSchema.parse(example)).toEqual(example);
  });

  const limits: readonly (readonly [path: Path, right: unknown, wrong: unknown])[] = [
    [['languages'], languages(formLimits.languages), languages(formLimits.languages + 1)],
    [['languages'], ['pt-BR', 'zh-Hant-TW'], ['EN']],
    [['languages'], ['en'], []],
    [['languages'], ['en'], ['constructor']],
    [['binding'], 'de', 'german'],
    [['activities'], times(200, String), times(201, String)],
    [['activities'], ['x'.repeat(256)], ['x'.repeat(257)]],
    [['activities'], ['x'], ['']],
    [['validity'], { visit: true }, { visit: false }],
    [['validity'], { days: 3650 }, { days: 3651 }],
    [['validity'], { days: 1 }, { days: 0 }],
    [['validity'], { until: '02-29' }, { until: '02-30' }],
    [['validity'], { until: '12-31' }, { until: '2026-12-31' }],
    [['validity'], { visit: true }, { visit: true, days: 3 }],
    [['reuse'], 'form', 'never'],
    [['people', 'minors'], 'alone', 'yes'],
    [['people', 'majority'], 12, 11],
    [['people', 'majority'], 25, 26],
    [['people', 'minAge'], 120, 121],
    [['people', 'maxAge'], 0, -1],
    [['people', 'minorSignsFrom'], 14, 14.5],
    [['people', 'maxMinors'], 20, 21],
    [['people', 'maxMinors'], 0, -1],
    [['guardian', 'relationship'], 'require', 'no'],
    [['guardian', 'age'], 'tick', 'none'],
    [['pages'], times(30, (index) => page(`p${index}`, [])), times(31, (index) => page(`p${index}`, []))],
    [['pages'], [page('a', [])], []],
    [
      ['pages'],
      times(5, (index) => page(`p${index}`, items(40))),
      times(5, (index) => page(`p${index}`, items(41))),
    ],
    [['pages', 0, 'items'], items(60), items(61)],
    [['pages', 0, 'id'], 'A_b-1', '1a'],
    [['pages', 0, 'id'], 'x'.repeat(64), 'x'.repeat(65)],
    [['pages', 0, 'id'], 'x', '__proto__'],
    [['pages', 0, 'title'], { en: 'x'.repeat(300) }, { en: 'x'.repeat(301) }],
    [['pages', 0, 'title'], { en: 'x' }, { en: '' }],
    [['pages', 0, 'title'], {}, { german: 'x' }],
    [[...text, 'text'], { en: 'x'.repeat(20_000) }, { en: 'x'.repeat(20_001) }],
    [[...text, 'text'], { en: 'x' }, { en: 'x\u0000' }],
    [[...text, 'type'], 'text', 'video'],
    [[...asked, 'kind'], 'choices', 'file'],
    [[...asked, 'label'], { en: 'x'.repeat(300) }, { en: 'x'.repeat(301) }],
    [[...asked, 'property'], 'email', 'minor'],
    [
      [...asked, 'options'],
      times(100, (index) => ({ id: `o${index}`, label: {} })),
      times(101, (index) => ({ id: `o${index}`, label: {} })),
    ],
    [[...asked, 'options'], [{ id: 'a', label: {} }], []],
    [[...asked, 'min'], -1_000_000, -1_000_001],
    [[...asked, 'max'], 1_000_000, 1_000_001],
    [[...asked, 'sensitive'], 'health', 'faith'],
    [[...asked, 'flag'], { on: ['x'], label: 'x'.repeat(60) }, { on: ['x'], label: 'x'.repeat(61) }],
    [[...asked, 'flag'], { on: ['x'], label: 'x' }, { on: [], label: 'x' }],
    [[...asked, 'keepDays'], 3650, 3651],
    [[...asked, 'keepDays'], 1, 0],
    [when, nested(5), nested(6)],
    [when, { all: times(20, () => ({ ageBelow: 9 })) }, { all: times(21, () => ({ ageBelow: 9 })) }],
    [when, { any: [{ ageBelow: 9 }] }, { any: [] }],
    [when, { any: [nested(4)] }, { any: [nested(5)] }],
    [when, { any: [nested(4), nested(0)] }, { any: [nested(0), nested(5)] }],
    [when, { all: [nested(4), nested(0)] }, { all: [nested(0), nested(5)] }],
    [when, nested(4, { all: [nested(0)] }), nested(5, { all: [nested(0)] })],
    [when, nested(4, { any: [nested(0)] }), nested(5, { any: [nested(0)] })],
    [when, { all: [nested(4)] }, { all: [nested(5)] }],
    [when, { answer: 'a', in: times(100, String) }, { answer: 'a', in: times(101, String) }],
    [when, { activity: ['x'] }, { activity: [] }],
    [when, { ageBelow: 120 }, { ageBelow: 121 }],
    [when, { ageBelow: 9 }, { ageBelow: 9, not: { ageBelow: 3 } }],
    [['pages', 1, 'items', 1, 'methods'], ['type'], []],
    [
      ['pages', 1, 'items', 1, 'methods'],
      ['type', 'draw'],
      ['type', 'type'],
    ],
    [['pages', 1, 'items', 0, 'act'], 'terms', 'anything'],
  ];
  test.each(limits.map(([path, right, wrong]) => ({ path: path.join('.'), parts: path, right, wrong })))(
    'has a limit: $path',
    ({ parts, right, wrong }) => {
      expect(refuses(formContentSchema, withValue(content, parts, right), parts)).toBe(false);
      expect(refuses(formContentSchema, withValue(content, parts, wrong), parts)).toBe(true);
    },
  );

  test.each([[[]], [['people']], [['guardian']], [['pages', 0]], [asked], [text]])(
    'has no unknown field in %j',
    (path: Path) => {
      expect(refuses(formContentSchema, withValue(content, [...path, 'unknown'], 1), path)).toBe(true);
    },
  );

  test('has a JSON Schema, in which conditions refer to themselves', () => {
    const schema = z.toJSONSchema(formContentSchema);
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(Object.keys(schema.properties ?? {})).toEqual([
      'languages',
      'binding',
      'activities',
      'validity',
      'reuse',
      'people',
      'guardian',
      'pages',
    ]);
    expect(JSON.stringify(schema)).toContain('"$ref"');
    expect(z.toJSONSchema(signingSchema, { io: 'input' })).toMatchObject({
      $ref: '#/$defs/Signing',
      $defs: { Signing: { type: 'object', additionalProperties: false } },
    });
  });
});
