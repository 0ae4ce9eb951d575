import {
  answerNamesSchema,
  changedAnswersSchema,
  isJsonValue,
  isWithinDepth,
  newAnswersSchema,
} from '@waiver-service/api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { answerOf, givenAnswers } from '../src/waivers/answer-of.ts';

const pathsOf = (answers: unknown, schema: z.ZodType = newAnswersSchema): string[] =>
  (schema.safeParse(answers).error?.issues ?? []).map((issue) => issue.path.join('.'));

const nested = (depth: number): unknown => (depth === 0 ? 'leaf' : [nested(depth - 1)]);
const today = () => new Date().toISOString().slice(0, 10);
const dayAfterTomorrow = () => new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);

describe('the answers of a waiver', () => {
  it('need a name', () => {
    expect(pathsOf({})).toEqual(['name']);
    expect(pathsOf({ name: null })).toEqual(['name']);
    expect(pathsOf({ name: '' })).toContain('name');
    expect(pathsOf({ name: ' \t' })).toEqual(['name']);
    expect(pathsOf({ name: '\u3164 \u200b\u2800' })).toEqual(['name']);
    expect(pathsOf({ name: '\u3164' }, changedAnswersSchema)).toEqual(['name']);
    expect(pathsOf({ name: 'n'.repeat(500) })).toEqual([]);
    expect(pathsOf({ name: 'n'.repeat(501) })).toEqual(['name']);
  });

  it('may change the name but not remove it', () => {
    expect(changedAnswersSchema.parse({ name: 'Bo' })).toEqual({ name: 'Bo' });
    expect(changedAnswersSchema.safeParse({ name: null }).success).toBe(false);
    expect(changedAnswersSchema.parse({ email: null, dateOfBirth: null, own: null })).toEqual({
      email: null,
      dateOfBirth: null,
      own: null,
    });
  });

  it.each([
    ['dateOfBirth', '2000-02-29', '2001-02-29'],
    ['dateOfBirth', today(), dayAfterTomorrow()],
    ['dateOfBirth', '1850-01-01', '1849-12-31'],
    ['dateOfBirth', '1990-01-31', '31-01-1990'],
    ['dateOfBirth', null, '1990-01-31T00:00:00Z'],
    ['minor', true, 'true'],
    ['height', 300, 300.1],
    ['height', 0.1, 0],
    ['weight', 700, 701],
    ['weight', 61.5, -1],
    ['weight', 61.5, '61.5'],
    ['email', 'e'.repeat(320), 'e'.repeat(321)],
    ['phoneNumber', 'p'.repeat(100), 'p'.repeat(101)],
    ['phoneNumber', '+45', 45],
    ['howHeard', 'h'.repeat(10_000), 'h'.repeat(10_001)],
    ['emergencyName', 'e'.repeat(500), 'e'.repeat(501)],
    ['emergencyPhone', 'e'.repeat(100), 'e'.repeat(101)],
    ['emergencyRelationship', 'e'.repeat(200), 'e'.repeat(201)],
    ['guardianName', 'g'.repeat(500), 'g'.repeat(501)],
    ['notes', 'n'.repeat(10_000), 'n'.repeat(10_001)],
    ['feedback', 'f'.repeat(10_000), 'f'.repeat(10_001)],
    ['ownText', 't'.repeat(10_000), 't'.repeat(10_001)],
    ['ownList', ['t'.repeat(10_000)], ['t'.repeat(10_001)]],
    ['ownObject', { n: 1 }, { ['n'.repeat(10_001)]: 1 }],
    ['ownDepth', nested(5), nested(6)],
  ])('%s: accepts values within its limits and refuses those beyond', (name, taken, refused) => {
    expect(pathsOf({ name: 'Bo', [name]: taken })).toEqual([]);
    expect(pathsOf({ name: 'Bo', [name]: refused })).toEqual([name]);
    expect(pathsOf({ [name]: refused }, changedAnswersSchema)).toEqual([name]);
  });

  it.each([
    'id',
    'pool',
    'bookingId',
    'bookingGuestId',
    'lastVisit',
    'deleted',
    'updatedAt',
    'activities',
    'createdAt',
    'currentPage',
    'reservationsID',
    'reservationsService',
  ])('%s is a field of the record and no answer', (name) => {
    expect(pathsOf({ name: 'Bo', [name]: 'x' })).toEqual([name]);
    expect(pathsOf({ [name]: null }, changedAnswersSchema)).toEqual([name]);
  });

  it('take 200 and no more', () => {
    const answers = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [index === 0 ? 'name' : `own${index}`, 'x']),
      );
    expect(pathsOf(answers(200))).toEqual([]);
    expect(pathsOf(answers(201))).toEqual(['']);
  });

  it('have names of 1 to 128 characters', () => {
    expect(pathsOf({ name: 'Bo', ['n'.repeat(128)]: 1 })).toEqual([]);
    expect(pathsOf({ name: 'Bo', ['n'.repeat(129)]: 1 })).toEqual(['n'.repeat(128)]);
    expect(pathsOf({ name: 'Bo', '': 1 })).toEqual(['']);
  });

  it('of any other name hold any JSON value, unchanged', () => {
    const names = fc.string({ minLength: 1, maxLength: 20 }).map((name) => `own-${name}`);
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue({ maxDepth: 4 })), (own) => {
        expect(newAnswersSchema.parse({ name: 'Bo', ...own })).toEqual({ name: 'Bo', ...own });
      }),
    );
  });

  it('of which null is none', () => {
    expect(
      givenAnswers(newAnswersSchema.parse({ name: 'Bo', email: null, own: null, zero: 0, inside: [null] })),
    ).toEqual({
      name: 'Bo',
      zero: 0,
      inside: [null],
    });
  });
});

describe('an answer that is pre-filled', () => {
  const names = Object.keys(changedAnswersSchema.shape);

  it('is a text if the waiver API takes the text', () => {
    // Texts at the limits of lengths, dates, and what shows nothing.
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('', ' ', '\u3164', '1990-02-28', '1990-02-30', '2999-01-01', 'true', '180'),
      fc.constantFrom(99, 100, 101, 320, 321, 500, 501, 10_000, 10_001).map((length) => 'é'.repeat(length)),
    );
    fc.assert(
      fc.property(fc.constantFrom(...names, 'own'), texts, (name, text) => {
        fc.pre(!text.includes('\u0000'));
        const taken = changedAnswersSchema.safeParse({ [name]: text }).success;
        expect(answerOf(name, text)).toBe(taken ? text : undefined);
      }),
      { numRuns: 500 },
    );
  });

  it.each([...names, 'own'])('%s is no text that cannot be stored', (name) => {
    expect(answerOf(name, 'a\u0000b')).toBeUndefined();
    expect(answerOf(name, 'a\ud800b')).toBeUndefined();
  });

  it('is no text under a name that no answer can have', () => {
    expect(answerOf('pool', 'x')).toBeUndefined();
    expect(answerOf('__proto__', 'x')).toBeUndefined();
    expect(answerOf('constructor', 'x')).toBe('x');
  });
});

describe('a JSON value', () => {
  it('is no infinite number, however deep', () => {
    expect(isJsonValue({ a: [1, 'x', null, true] })).toBe(true);
    expect(isJsonValue({ a: [Number.POSITIVE_INFINITY] })).toBe(false);
    expect(isJsonValue(Number.NaN)).toBe(false);
    expect(isJsonValue(undefined)).toBe(false);
  });

  it('is looked at no deeper than the limit', () => {
    let deep: unknown = 'leaf';
    for (let depth = 0; depth < 100_000; depth += 1) deep = { deep };
    expect(isWithinDepth(deep, 5)).toBe(false);
  });
});

describe('a list of answers by name', () => {
  it('has each once, and none that is a field of the record', () => {
    expect(answerNamesSchema.parse(['name', 'feedback', 'name'])).toEqual(['name', 'feedback']);
    expect(answerNamesSchema.safeParse(['pool']).success).toBe(false);
    expect(answerNamesSchema.safeParse(['']).success).toBe(false);
    expect(answerNamesSchema.safeParse(['n'.repeat(129)]).success).toBe(false);
    expect(answerNamesSchema.safeParse(Array.from({ length: 100 }, (_, index) => `n${index}`)).success).toBe(
      true,
    );
    expect(answerNamesSchema.safeParse(Array.from({ length: 101 }, (_, index) => `n${index}`)).success).toBe(
      false,
    );
  });
});
