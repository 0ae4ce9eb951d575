import type { Waiver } from '@waiver-service/core';
import { type JsonObject, noteMarkerOf, objectsIn } from '@waiver-service/plugin-kit';
import { describe, expect, test } from 'vitest';
import { hasUnclearLine, textBesides, withWaiver } from '../src/write/waiver-field.ts';

const waiver = (changes: Partial<Waiver> = {}): Waiver => ({
  id: 'w1',
  pool: 'p',
  bookingId: '77',
  lastVisit: '2027-06-12T07:30:00.000Z',
  deleted: false,
  updatedAt: '2027-06-10T08:00:00.000Z',
  ...changes,
});
const personWith = (value: unknown): JsonObject => ({ customFields: [{ name: 'Waiver', value }] });
const textOf = (person: JsonObject) => String(objectsIn(person.customFields)[0]?.value);
const after = (text: string, changes: Partial<Waiver>, isHolder = true) => {
  const customFields = withWaiver(personWith(text), 'Waiver', waiver(changes), isHolder);
  return customFields === undefined ? text : textOf({ customFields });
};
const line = '[waiver w1@77] updated 2027-06-10 [end]';

describe('a line with its booking', () => {
  test('is only that waiver’s and that booking’s, whatever their ids contain', () => {
    const ids = ['a', 'a@b', 'a@b@c', 'a]', 'a] updated 2027-06-10 [end]', 'a%40b', 'a\nb', 'é'];
    const all = ids.flatMap((id) => ids.map((bookingId) => ({ id, bookingId })));
    const oldLines = ids.map((id) => `${noteMarkerOf(waiver({ id }))} updated 2027-06-10 [end]`);
    const lines = [...oldLines, ...all.map((one) => after('', one))];
    expect(new Set(lines).size).toBe(ids.length + all.length);
    for (const one of all) {
      const own = after('', one);
      expect(after(lines.join('\n'), { ...one, deleted: true }).split('\n')).toEqual(
        lines.filter((other) => other !== own),
      );
    }
  });

  test('stays when another booking’s is written or removed, also in the middle of what staff wrote', () => {
    const text = `Ask Kim ${line} Kim agreed, see [waiver w1]`;
    expect(after(text, { bookingId: '78', deleted: true })).toBe(text);
    expect(after(text, { bookingId: '78' })).toBe(`${text}\n${line.replace('77', '78')}`);
    expect(after(text, { deleted: true })).toBe('Ask Kim Kim agreed, see [waiver w1]');
    expect(after(text, {}, false)).toBe('Ask Kim Kim agreed, see [waiver w1]');
    expect(after(text, { swims: true })).toBe(text.replace(' [end]', ' · swims: true [end]'));
  });
});

describe('an old line, without a booking', () => {
  const old = (day: string) => `Paper\n[waiver w1] updated ${day} · diet: vegan [end] seen by Kim`;

  test.each(['2027-06-09', '2027-06-10', '2027-06-11'])('of %s is replaced in place by any update', (day) => {
    expect(after(old(day), {})).toBe(`Paper\n${line} seen by Kim`);
    expect(after(old(day), { bookingId: '78' })).toBe(`Paper\n${line.replace('77', '78')} seen by Kim`);
    expect(after(`${old(day)}\n${line}`, {})).toBe(`Paper\n${line} seen by Kim`);
    expect(after(old(day), {}, false)).toBe('Paper\nseen by Kim');
  });

  test('that is cut off is replaced, too', () => {
    expect(after('Paper\n[waiver w1]', {})).toBe(`Paper\n${line}`);
    expect(after('[waiver w1] updated 2027-06-09 · diet: veg', {})).toBe(line);
  });

  test('of an earlier day is removed by a void; of the same day, it may be of the next booking', () => {
    const deleted = { deleted: true };
    expect(after(old('2027-06-09'), deleted)).toBe('Paper\nseen by Kim');
    expect(after(`${line}\n${old('2027-06-09')}`, deleted, false)).toBe('Paper\nseen by Kim');
    for (const text of [old('2027-06-10'), old('2027-06-11'), 'Paper\n[waiver w1]']) {
      expect(after(text, deleted)).toBe(text);
      expect(after(`${line}\n${text}`, deleted)).toBe(text);
      expect(hasUnclearLine(personWith(text), 'Waiver', waiver(deleted))).toBe(true);
    }
    for (const text of [old('2027-06-09'), line, 'see [waiver w1]', '[waiver w2] updated 2027-06-10 [end]']) {
      expect(hasUnclearLine(personWith(text), 'Waiver', waiver(deleted)), text).toBe(false);
    }
  });

  test('of the first version, which said "signed", is treated alike', () => {
    const signed = '[waiver w1] signed 2027-06-09 · name: Zoë';
    expect(after(`${signed}\nPaper`, {})).toBe(`${line}\nPaper`);
    expect(after(`${signed}\nPaper`, { deleted: true })).toBe('Paper');
    const sameDay = signed.replace('09', '10');
    expect(after(sameDay, { deleted: true })).toBe(sameDay);
  });

  test('is the waiver’s own, and all besides is others’', () => {
    expect(textBesides(personWith(`${old('2027-06-10')}\n${line}`), 'Waiver', waiver())).toBe(
      'Paper\nseen by Kim',
    );
  });
});

test('an absent value is empty, and no other kind of value is overwritten', () => {
  for (const value of [undefined, null, '']) {
    expect(withWaiver(personWith(value), 'Waiver', waiver())).toEqual([{ name: 'Waiver', value: line }]);
  }
  for (const value of [7, true, ['Paper'], {}]) {
    expect(() => withWaiver(personWith(value), 'Waiver', waiver())).toThrow('not a text');
  }
});
