import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { problemDetails } from '../../src/http/validation.ts';

const schema = z.strictObject({
  list: z.array(z.strictObject({ id: z.union([z.string().max(3), z.int()]) })),
});

describe('faults in a body are named by path', () => {
  test.each([
    [{ list: [], colour: 1, size: 2 }, ['colour', 'size']],
    [{ list: [{ id: 'a', extra: 1 }] }, ['list[0].extra']],
    [{ list: [{ id: 'long' }, {}] }, ['list[0].id', 'list[1].id']],
    [{}, ['list']],
  ])('%j', (body, paths) => {
    const { error } = schema.safeParse(body);
    expect(error && problemDetails(error).map(({ path }) => path)).toEqual(paths);
  });
});
