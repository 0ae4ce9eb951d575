import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  durationSchema,
  maxDurationMs,
  maxRetentionMs,
  readDuration,
} from '../../src/settings/environment-fields.ts';
import { readSettings, settingNames } from '../../src/settings/read-settings.ts';

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, y: 365 * 86_400_000 } as const;
const unit = fc.constantFrom<keyof typeof units>('ms', 's', 'm', 'h', 'd', 'y');

test('a duration is its number times its unit', () => {
  fc.assert(
    fc.property(fc.nat(10), unit, (amount, name) => {
      expect(readDuration(`${amount}${name}`)).toBe(amount * units[name]);
    }),
  );
});

test('any other text is not a duration', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!/^\d{1,12}(ms|s|m|h|d|y)$/.test(text));
      expect(readDuration(text)).toBeUndefined();
    }),
  );
  for (const text of ['', '10', 's', '1.5s', '-1s', ' 1s', '1s ', '1S', '1h30m', '٣s', '1e3s', '1s\n']) {
    expect(readDuration(text), text).toBeUndefined();
  }
});

test('a duration longer than a year is refused, unless it says how long something is kept', () => {
  expect(durationSchema(1).parse('365d')).toBe(maxDurationMs);
  expect(durationSchema(1).safeParse('366d').success).toBe(false);
  expect(durationSchema(1, maxRetentionMs).parse('10y')).toBe(maxRetentionMs);
  expect(readDuration('3651d')).toBeUndefined();
  expect(readDuration('999999999999d')).toBeUndefined();
});

test('a message names the bounds in the units of the documentation', () => {
  const messageFor = (schema: ReturnType<typeof durationSchema>) =>
    schema.safeParse('1 h').error?.issues[0]?.message;
  const day = 86_400_000;
  expect(messageFor(durationSchema(day, maxRetentionMs))).toContain('a duration from 1d to 10y, written as');
  expect(messageFor(durationSchema(1))).toContain('a duration from 1ms to 1y,');
  expect(messageFor(durationSchema(0, 90_000))).toContain('a duration from 0s to 90s,');
  expect(messageFor(durationSchema(1, 60_000))).toContain('a duration from 1ms to 1m,');
});

const page = readFileSync(join(import.meta.dirname, '../../../../docs/settings.md'), 'utf8');
const rows = [...page.matchAll(/^\| `(?<name>[A-Z_]+)` +\| (?<default>[^|]*?) +\|/gm)].map(({ groups }) => ({
  name: groups?.name ?? '',
  documented: groups?.default ?? '',
}));

test('docs/settings.md describes every setting, and nothing else', () => {
  expect(rows.map(({ name }) => name).toSorted()).toEqual(settingNames.toSorted());
});

const defaults = rows.flatMap(({ name, documented }) => {
  if (documented === 'empty') return [{ name, value: '' }];
  const [, value] = /^`([^`]+)`$/.exec(documented) ?? [];
  return value === undefined ? [] : [{ name, value }];
});

test('the page gives a value for most defaults', () => {
  expect(defaults.length).toBeGreaterThan(15);
});

test.each(defaults)('the default of $name is $value, as documented', ({ name, value }) => {
  expect(readSettings({ [name]: value })).toEqual(readSettings({}));
});
