import { expect, test } from 'vitest';
import {
  findUnannouncedBreaks,
  type JsonSchema,
  type Offer,
  schemaChanges,
} from '../src/checks/compatibility/compatibility.ts';
import { readSurface } from '../src/checks/compatibility/surface.ts';
import { readPluginInterface } from '../src/checks/plugin-interface/plugin-interface-page.ts';
import { readWorkspace } from '../src/checks/workspace.ts';
import { repository } from '../src/outside/outside-place.ts';

const text = { type: 'string' };
const objectOf = (properties: Record<string, JsonSchema>, ...required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
});
const changesOf = (former: JsonSchema, present: JsonSchema) => ({
  received: schemaChanges('received', former, present),
  sent: schemaChanges('sent', former, present),
});

test.each<[string, JsonSchema, JsonSchema, readonly string[], readonly string[]]>([
  ['nothing', objectOf({ a: text }, 'a'), objectOf({ a: text }, 'a'), [], []],
  ['a field is gone', objectOf({ a: text, b: text }), objectOf({ a: text }), ['b is gone'], ['b is gone']],
  ['an optional field is new', objectOf({}), objectOf({ a: text }), [], []],
  ['a required field is new', objectOf({}), objectOf({ a: text }, 'a'), ['a is now required'], []],
  ['a field may be absent', objectOf({ a: text }, 'a'), objectOf({ a: text }), [], ['a may now be absent']],
  [
    'another type, deep inside',
    objectOf({ a: { type: 'array', items: objectOf({ b: text }) } }),
    objectOf({ a: { type: 'array', items: objectOf({ b: { type: 'number' } }) } }),
    ['a[].b is "number", not "string"'],
    ['a[].b is "number", not "string"'],
  ],
  ['whole numbers from any', { type: 'number' }, { type: 'integer' }, ['it is "integer", not "number"'], []],
  [
    'any number from whole ones',
    { type: 'integer' },
    { type: 'number' },
    [],
    ['it is "number", not "integer"'],
  ],
  [
    'null, too',
    objectOf({ a: text }),
    objectOf({ a: { type: ['string', 'null'] } }),
    [],
    ['a is "null", not "string"'],
  ],
  ['no null', { anyOf: [text, { type: 'null' }] }, text, ['it is "string", not "null"'], []],
  ['a value less', { enum: ['a', 'b'] }, { enum: ['a'] }, ['it no longer takes "b"'], []],
  ['a value more', { enum: ['a'] }, { enum: ['a', 'b'] }, [], []],
  ['only some values', text, { type: 'string', enum: ['a'] }, ['it takes only "a"'], []],
  [
    'a smaller maximum',
    { type: 'string', maxLength: 200 },
    { type: 'string', maxLength: 100 },
    ['it has the maxLength 100, not 200'],
    [],
  ],
  ['a first minimum', text, { type: 'string', minLength: 1 }, ['it has the minLength 1, not any'], []],
  ['a larger maximum', { type: 'number', maximum: 1 }, { type: 'number', maximum: 2 }, [], []],
  ['a pattern', text, { type: 'string', pattern: 'a' }, ['it has the pattern "a", not any'], []],
  ['another default', { default: 1 }, { default: 2 }, ['it has the default 2, not 1'], []],
  [
    'other fields are refused',
    objectOf({}),
    { ...objectOf({}), additionalProperties: false },
    ['it refuses other fields'],
    [],
  ],
  [
    'a field is gone from what a reference leads to, which leads back',
    { $ref: '#/$defs/A', $defs: { A: objectOf({ a: text, next: { $ref: '#/$defs/A' } }) } },
    { $ref: '#/$defs/B', $defs: { B: objectOf({ next: { $ref: '#/$defs/B' } }) } },
    ['a is gone'],
    ['a is gone'],
  ],
  [
    'an alternative is gone',
    { anyOf: [objectOf({ kind: { const: 'a' } }, 'kind'), objectOf({ kind: { const: 'b' } }, 'kind')] },
    { anyOf: [objectOf({ kind: { const: 'a' } }, 'kind')] },
    ['kind no longer takes "b"'],
    [],
  ],
])('%s', (_what, former, present, received, sent) => {
  expect(changesOf(former, present)).toEqual({ received, sent });
});

const offers = readSurface(readWorkspace(repository), readPluginInterface(repository));
const problemsWith = (present: readonly Offer[], changelog = '') =>
  findUnannouncedBreaks({ version: '1.0.0', offers }, present, changelog);

/** What the sources offer, with a field of one schema taken away. */
const without = (subject: string, part: string, field: string): Offer[] =>
  offers.map((offer) => {
    if (offer.subject !== subject || offer.part !== part) return offer;
    const { $ref, ...beside } = offer.schema;
    // A host in the same process gives schemas ids, so that they become references.
    const schema = { ...beside, ...beside.$defs?.[$ref?.replace('#/$defs/', '') ?? ''] };
    const { [field]: gone, ...properties } = schema.properties ?? {};
    expect(gone).toBeDefined();
    return { ...offer, schema: { ...schema, properties } };
  });

test('the surface has routes, the contract, the plugin interface, settings and metrics', () => {
  const found = new Set(offers.map(({ subject, part }) => `${subject}: ${part}`));
  for (const expected of [
    'POST /v1/pools/{pool}/waivers: body',
    'GET /v1/pools/{pool}/waivers: query',
    'GET /v1/pools/{pool}/waivers: 200',
    'currentBookingSchema: schema',
    'BookingSystemPlugin: members',
    'BookingNotFound: error',
    '@waiver-service/plugin-kit: exports',
    'PORT: setting',
    'waiver_service_lanes: metric',
  ])
    expect(found).toContain(expected);
  expect(found.size).toBe(offers.length);
  expect(problemsWith(offers)).toEqual([]);
});

test.each([
  ['GET /v1/pools/{pool}/waivers', '200', 'next'],
  ['GET /v1/pools/{pool}/waivers', 'query', 'updatedSince'],
  ['currentBookingSchema', 'schema', 'notes'],
  ['BookingSystemPlugin', 'members', 'fetchBooking'],
  ['BookingSystemContext', 'members', 'http'],
  ['@waiver-service/plugin-kit', 'exports', 'defineBookingSystem'],
  ['waiver_service_lanes', 'metric', 'kind'],
])('%s: %s without %s is named, until CHANGELOG.md names it', (subject, part, field) => {
  const broken = without(subject, part, field);
  expect(problemsWith(broken)).toEqual([
    `${subject}: ${part}: ${field} is gone, unlike in 1.0.0: keep it, or name \`${subject}\` in CHANGELOG.md below "Breaking"`,
  ]);
  const entry = `- \`${subject}\` lost \`${field}\`.`;
  expect(problemsWith(broken, `## Unreleased\n\n### Breaking\n\n${entry}\n`)).toEqual([]);
  // Neither another heading nor a former release announces it.
  expect(
    problemsWith(broken, `## Unreleased\n\n${entry}\n\n## 1.0.0\n\n### Breaking\n\n${entry}\n`),
  ).not.toEqual([]);
});

test('a route, a setting or a metric that is gone is named once', () => {
  const gone = ['GET /v1/pools/{pool}/waivers', 'PORT', 'waiver_service_lanes'];
  const kept = offers.filter(({ subject }) => !gone.includes(subject));
  expect(problemsWith(kept).map((problem) => problem.split(', ')[0])).toEqual(
    expect.arrayContaining(gone.map((subject) => `${subject}: it is gone`)),
  );
  expect(problemsWith(kept)).toHaveLength(gone.length);
});

test('a former route that demands something new is named; a new route is not', () => {
  const body: Omit<Offer, 'subject'> = {
    part: 'body',
    direction: 'received',
    schema: objectOf({ reason: text }, 'reason'),
  };
  expect(problemsWith([...offers, { ...body, subject: 'POST /v1/new' }])).toEqual([]);
  const [problem] = problemsWith([...offers, { ...body, subject: 'GET /healthz' }]);
  expect(problem).toMatch(/^GET \/healthz: body: reason is now required/);
});
