import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  maxFailingReads,
  maxReads,
  maxReadsPerInstallation,
  refreshShares,
} from '../../src/integration/refresh-shares.ts';

const installation = fc.integer({ min: 0, max: 12 });
const sourceOf = (place: number) => ({ pool: `p${place}`, bookingSystem: 'standard' });

test('whatever is running and failing: a total limit, two per installation, one per failing one, few failing ones in total', () => {
  const property = fc.property(
    fc.array(fc.record({ wants: fc.array(installation, { maxLength: 30 }), ends: fc.array(fc.nat(20)) })),
    fc.uniqueArray(installation),
    fc.uniqueArray(installation),
    (rounds, failing, held) => {
      const failingSources = failing.map((place) => ({ ...sourceOf(place), isHeld: held.includes(place) }));
      let underWay: number[] = [];
      for (const { wants, ends } of rounds) {
        const shares = refreshShares({ underWay: underWay.map(sourceOf), failing: failingSources });
        const free = new Map<number, number>();
        const freeOf = (place: number) =>
          free.get(place) ??
          shares.listed.find(({ pool }) => pool === `p${place}`)?.free ??
          shares.perInstallation;
        let left = shares.limit;
        for (const place of wants) {
          if (left === 0 || freeOf(place) === 0) continue;
          expect(failing.includes(place) && held.includes(place)).toBe(false);
          free.set(place, freeOf(place) - 1);
          left -= 1;
          underWay.push(place);
        }
        expect(underWay.length).toBeLessThanOrEqual(maxReads);
        const counts = Map.groupBy(underWay, (place) => place);
        for (const [place, reads] of counts) {
          expect(reads.length).toBeLessThanOrEqual(failing.includes(place) ? 1 : maxReadsPerInstallation);
        }
        expect(underWay.filter((place) => failing.includes(place)).length).toBeLessThanOrEqual(
          maxFailingReads,
        );
        underWay = underWay.filter((_, place) => !ends.includes(place));
      }
    },
  );
  fc.assert(property, { numRuns: 300 });
});

test('one that is asked for nothing else may have its full share', () => {
  expect(refreshShares({ underWay: [], failing: [] })).toEqual({
    limit: maxReads,
    perInstallation: maxReadsPerInstallation,
    listed: [],
  });
});
