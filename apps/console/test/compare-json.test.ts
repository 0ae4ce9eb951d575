import { expect, test } from 'vitest';
import { compareJson } from '../src/pages/integration/compare-json.ts';

const marksOf = (lines: ReturnType<typeof compareJson>['answer']) =>
  Object.fromEntries(lines.flatMap(({ path, mark }) => (mark === undefined ? [] : [[path, mark]])));

test('equal values have no mark', () => {
  const booking = { id: 'B-1', guests: [{ name: 'Zoë', minor: false }], notes: null };
  const { answer, result } = compareJson(booking, booking);
  expect([marksOf(answer), marksOf(result)]).toEqual([{}, {}]);
  expect(answer.map(({ depth, text }) => '  '.repeat(depth) + text).join('\n')).toBe(
    JSON.stringify(booking, null, 2),
  );
});

test('a value is changed in its place, moved to another, or has no counterpart', () => {
  const { answer, result } = compareJson(
    { id: 7, orderName: 'Zoë', internal: 'x', pax: 2 },
    { id: '7', contact: { name: 'Zoë' }, pax: 2, statusGroup: 'active' },
  );
  expect(marksOf(answer)).toEqual({ id: 'changed', orderName: 'moved', internal: 'unmatched' });
  expect(marksOf(result)).toEqual({ id: 'changed', 'contact.name': 'moved', statusGroup: 'unmatched' });
});

test('a booking may be made of several answers', () => {
  const { result } = compareJson({ id: 'B-1' }, { id: 'B-1', name: 'Zoë' }, [{ customer: { full: 'Zoë' } }]);
  expect(marksOf(result)).toEqual({ name: 'moved' });
});

test('paths match those of warnings, and empty arrays and objects stay visible', () => {
  const { answer } = compareJson({ guests: [{}, { tags: [] }] }, {});
  expect(answer.map(({ path }) => path)).toContain('guests[1].tags');
  expect(answer.map(({ text }) => text)).toContain('"tags": []');
});
