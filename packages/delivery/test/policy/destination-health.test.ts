import { expect, test } from 'vitest';
import { type HealthSign, healthOf } from '../../src/policy/decide.ts';

const sign = (result: HealthSign['result'], destination = 'd'): HealthSign => ({ destination, result });
const accepted = sign({ outcome: 'accepted', status: 200 });
const ownFault = sign({ outcome: 'own-fault', error: new Error('ours') });
const refused = (status: number) => sign({ outcome: 'refused', retry: 'schedule', status });

test('failures are counted from the last success on', () => {
  expect(healthOf([refused(500), refused(500), accepted, refused(502), refused(503)])).toMatchObject([
    { destination: 'd', succeeded: true, failures: 2, lastStatus: 503, gone: false },
  ]);
  expect(healthOf([refused(500), accepted])).toMatchObject([{ succeeded: true, failures: 0 }]);
  expect(healthOf([refused(500)])).toMatchObject([{ succeeded: false, failures: 1 }]);
});

test('neither a fault of the service nor a waiver without a place there affects health', () => {
  expect(healthOf([ownFault, sign({ outcome: 'nothing-written' })])).toEqual([]);
  expect(healthOf([accepted, ownFault, sign({ outcome: 'nothing-written' })])).toEqual(healthOf([accepted]));
});

test('a call without an answer fails too, and its error is the last one known', () => {
  const timeout = sign({ outcome: 'in-doubt', retry: 'schedule', errorCode: 'timeout' });
  expect(healthOf([refused(500), timeout])).toEqual([
    {
      destination: 'd',
      succeeded: false,
      failures: 2,
      gone: false,
      lastErrorCode: 'timeout',
      lastStatus: undefined,
    },
  ]);
});

test('a receiver that once said it is gone stays gone', () => {
  const gone = sign({ outcome: 'refused', retry: 'schedule', status: 410, gone: true });
  expect(healthOf([gone, refused(500)])).toMatchObject([{ gone: true, lastStatus: 500 }]);
  expect(healthOf([refused(500), gone])).toMatchObject([{ gone: true }]);
  expect(healthOf([refused(410)])).toMatchObject([{ gone: false }]);
});

test('each destination has its own', () => {
  const other = sign({ outcome: 'refused', retry: 'schedule', status: 500 }, 'e');
  expect(healthOf([accepted, other, refused(503)])).toMatchObject([
    { destination: 'd', succeeded: true, failures: 1, lastStatus: 503 },
    { destination: 'e', succeeded: false, failures: 1, lastStatus: 500 },
  ]);
});
