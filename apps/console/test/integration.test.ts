import { expect, test } from 'vitest';
import { isRequired, propertiesOf, valuesOf } from '../src/components/schema-fields.tsx';
import { compareJson } from '../src/pages/integration/compared-booking.tsx';
import { readCheckLines } from '../src/pages/integration/installation-dialogs.tsx';

test('lines are read whole, wherever the stream is cut, and others are left out', async () => {
  const text = `${JSON.stringify({ type: 'clause', id: 'read/…', title: 'é' })}\n{"type":"other"}\n{"type":"end","ok":true}\n`;
  const bytes = new TextEncoder().encode(text);
  for (let size = 1; size < 9; size += 1) {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    const read: unknown[] = [];
    for await (const line of readCheckLines(stream)) read.push(line);
    expect(read).toMatchObject([
      { id: 'read/…', title: 'é' },
      { type: 'end', ok: true },
    ]);
  }
});

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

const schema = {
  type: 'object',
  required: ['secretKey'],
  properties: {
    secretKey: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    durationMinutes: { type: 'integer', default: 60 },
    capabilities: { type: 'array', items: { type: 'string' } },
    waivers: { type: 'boolean' },
  },
};

test.each([
  ['secretKey', '0042', '0042'],
  ['durationMinutes', '90', 90],
  ['capabilities', 'octo/pricing, ,octo/waivers ', ['octo/pricing', 'octo/waivers']],
  ['waivers', 'true', true],
  ['waivers', 'false', false],
])('the text typed for %s becomes a value of the type in the plugin’s schema', (name, typed, value) => {
  expect(valuesOf(schema, { [name]: typed })).toEqual({ [name]: value });
});

test('fields left empty are left out', () => {
  expect(valuesOf(schema, { secretKey: '', waivers: '' })).toEqual({});
});

test('the schema says which fields must be filled', () => {
  expect(isRequired(schema, 'secretKey')).toBe(true);
  expect(isRequired(schema, 'waivers')).toBe(false);
});

test('a schema that is none has no fields', () => {
  for (const none of [undefined, null, 'text', {}, { properties: null }])
    expect(propertiesOf(none)).toEqual([]);
});
