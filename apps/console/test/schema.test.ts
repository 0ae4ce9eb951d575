import { expect, test } from 'vitest';
import { isRequired, propertiesOf, valuesOf } from '../src/components/schema.ts';

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
