import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, findMisspelledSettings } from '../../src/settings/misspelled-settings.ts';
import { settingNames } from '../../src/settings/read-settings.ts';

const meantBy = (...names: string[]) => findMisspelledSettings(names, settingNames).map(({ meant }) => meant);

test.each([
  ['DELIVERY_CONCURENCY', 'DELIVERY_CONCURRENCY'],
  ['DESTINATION_CONCURRENCI', 'DESTINATION_CONCURRENCY'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATADIR', 'DATA_DIR'],
  ['ENCRYPTION_KEY', 'ENCRYPTION_KEYS'],
  ['OUTBUOND_TIMEOUT', 'OUTBOUND_TIMEOUT'],
  ['RETRY_SHEDULE', 'RETRY_SCHEDULE'],
  ['admin_token', 'ADMIN_TOKEN'],
  ['port', 'PORT'],
])('%s resembles %s', (name, meant) => {
  expect(meantBy(name)).toEqual([meant]);
});

test.each(['HOME', 'HOSTNAME', 'PATH', 'POST', 'RULE', 'NODE_ENV', 'PGHOST', 'TZ', 'BASE', 'http_proxy'])(
  '%s is somebody else’s',
  (name) => {
    expect(meantBy(name)).toEqual([]);
  },
);

test('a variable that is a setting, or resembles one that is set, is not named', () => {
  expect(meantBy(...settingNames)).toEqual([]);
  expect(meantBy('DATABASE_URL', 'DATABASE_URL2')).toEqual([]);
});

test('the distance is one for each slip, the same both ways', () => {
  const word = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(word, word, (one, other) => {
      const distance = editDistance(one, other);
      expect(distance).toBe(editDistance(other, one));
      expect(distance === 0).toBe(one === other);
      expect(distance).toBeLessThanOrEqual(Math.max(one.length, other.length));
      expect(distance).toBeGreaterThanOrEqual(Math.abs(one.length - other.length));
    }),
  );
  expect(editDistance('schedule', 'shcedule')).toBe(1);
});
