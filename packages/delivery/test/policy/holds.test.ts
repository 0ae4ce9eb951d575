import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holdsOf } from '../../src/policy/holds.ts';
import { longestRetryAfterMs } from '../../src/policy/retry-wait.ts';

const sign = fc.record({
  destination: fc.constantFrom('a', 'b'),
  result: fc.record(
    {
      outcome: fc.constantFrom('accepted', 'refused', 'in-doubt', 'own-fault' as const),
      status: fc.constantFrom(200, 400, 404, 429, 500, 502, 503),
      retryAfterMs: fc.integer({ min: 0, max: 3 * longestRetryAfterMs }),
    },
    { requiredKeys: ['outcome'] },
  ),
});

test('only what refused by 429 or 503 with a Retry-After holds, its own destination, for 24 hours at most', () => {
  fc.assert(
    fc.property(fc.array(sign), (signs) => {
      const asking = signs.filter(
        ({ result: { outcome, status, retryAfterMs } }) =>
          outcome === 'refused' && (status === 429 || status === 503) && (retryAfterMs ?? 0) > 0,
      );
      expect(holdsOf(signs)).toEqual(
        asking.map(({ destination, result }) => ({
          destination,
          holdMs: Math.min(result.retryAfterMs ?? 0, 86_400_000),
        })),
      );
    }),
  );
});
