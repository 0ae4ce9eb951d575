import { maxRetryAfterMs } from '@waiver-service/outbound';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type HealthSign, holdsOf } from '../../src/policy/decide.ts';

const status = fc.constantFrom(200, 400, 404, 429, 500, 502, 503);
const failure = {
  retry: fc.constant('schedule' as const),
  status,
  retryAfterMs: fc.integer({ min: 0, max: 3 * maxRetryAfterMs }),
};
const inDoubt = fc.record({ outcome: fc.constant('in-doubt' as const), ...failure });
const refused = fc.record({
  outcome: fc.constant('refused' as const),
  ...failure,
  throttled: fc.boolean(),
});
const unexplained = fc.constant({ outcome: 'refused' as const, retry: 'schedule' as const });
const sign: fc.Arbitrary<HealthSign> = fc.record({
  destination: fc.constantFrom('a', 'b'),
  result: fc.oneof(
    { weight: 1, arbitrary: fc.record({ outcome: fc.constant('accepted' as const), status }) },
    { weight: 1, arbitrary: fc.constant({ outcome: 'own-fault' as const, error: new Error('ours') }) },
    { weight: 1, arbitrary: inDoubt },
    { weight: 1, arbitrary: unexplained },
    { weight: 3, arbitrary: refused },
  ),
});

test('only a throttled message, or one refused by 429 or 503, with a time to wait holds its destination, for 24 hours at most', () => {
  fc.assert(
    fc.property(fc.array(sign), (signs) => {
      const expected = signs.flatMap(({ destination, result }) =>
        result.outcome === 'refused' &&
        (result.throttled === true || result.status === 429 || result.status === 503) &&
        result.retryAfterMs !== undefined &&
        result.retryAfterMs > 0
          ? [{ destination, holdMs: Math.min(result.retryAfterMs, 86_400_000) }]
          : [],
      );
      expect(holdsOf(signs)).toEqual(expected);
    }),
  );
});
