import { expect, test } from 'vitest';
import { idsOfChange, parentOf, TraceIds } from '../../src/tracing/request-trace.ts';

const change = { pool: 'p', waiverId: 'w', version: 1 };
const [trace, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];

test('the ids of a change follow from pool, waiver and version, and from nothing else', () => {
  const ids = idsOfChange(change);
  expect(idsOfChange({ ...change })).toEqual(ids);
  expect(ids.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect([ids.requestSpanId, ids.changeSpanId].map((id) => id.length)).toEqual([16, 16]);
  const others = [
    { ...change, version: 2 },
    { ...change, pool: 'pw', waiverId: '' },
    { ...change, pool: '', waiverId: 'pw' },
  ];
  const all = [ids, ...others.map(idsOfChange)];
  expect(new Set(all.flatMap((each) => Object.values(each))).size).toBe(all.length * 3);
});

test('spans have random ids, but those whose ids are known', () => {
  const ids = new TraceIds();
  const both = () => ({ traceId: ids.generateTraceId(), spanId: ids.generateSpanId() });
  const own = { traceId: trace, spanId: span };
  expect(ids.startAs(own, both)).toEqual(own);
  expect(() =>
    ids.startAs(own, () => {
      throw new Error('no span');
    }),
  ).toThrow('no span');
  expect(both()).not.toMatchObject({ traceId: trace });
  expect(both().spanId).not.toBe(both().spanId);
});

test('a valid traceparent names a parent; its sampled flag is not taken over', () => {
  const parent = { traceId: trace, spanId: span, traceFlags: 0, isRemote: true };
  expect(parentOf(`00-${trace}-${span}-01`)).toEqual(parent);
  expect(parentOf(`cc-${trace}-${span}-01-what-comes-later`)).toEqual(parent);
});

test.each([
  undefined,
  '',
  ['00'],
  `00-${trace}-${span}`,
  `00-${trace}-${span}-01-more`,
  `ff-${trace}-${span}-01`,
  `00-${'0'.repeat(32)}-${span}-01`,
  `00-${trace}-${'0'.repeat(16)}-01`,
  `00-${trace.toUpperCase()}-${span}-01`,
  `00-${trace}-${span}-01\n`,
  `cc-${trace}-${span}-01-${'x'.repeat(100)}`,
])('a malformed traceparent names none: %s', (header) => {
  expect(parentOf(header)).toBeUndefined();
});
