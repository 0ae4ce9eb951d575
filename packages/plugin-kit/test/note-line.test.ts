import type { Waiver } from '@waiver-service/core';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  answersInNote,
  normalizeNote,
  noteLineOf,
  ownNoteLines,
  pushNoteLine,
  withNoteLine,
  withoutNoteLines,
  withoutOwnNoteLine,
} from '../src/index.ts';

const waiver: Waiver = {
  id: 'W 1/é',
  pool: 'p',
  bookingId: 'B',
  lastVisit: '2026-05-02T09:30:00.000Z',
  deleted: false,
  updatedAt: '2026-05-01T09:30:00.000Z',
};

describe('the line about a waiver in a note', () => {
  it('is told from all other lines, as far as vendors keep white space', () => {
    const note = withNoteLine('Call first.', waiver);
    expect(ownNoteLines(`${note}\n\n`, waiver)).toEqual([`${noteLineOf(waiver)} [end]`]);
    expect(ownNoteLines(note, { ...waiver, id: 'W' })).toEqual([]);
    expect(withoutOwnNoteLine(note, waiver)).toBe('Call first.');
    expect(normalizeNote(' Call first. \r\nTwice.\n')).toBe('Call first.\nTwice.');
  });

  it('has the id, the date and the shared answers', () => {
    expect(noteLineOf(waiver)).toBe('[waiver W%201%2F%C3%A9] updated 2026-05-01');
    expect(noteLineOf({ ...waiver, name: 'Zoë\nBäcker', minor: true, notes: null })).toBe(
      '[waiver W%201%2F%C3%A9] updated 2026-05-01 · name: Zoë Bäcker · minor: true',
    );
  });

  it('is read as it was written, whatever the answers say', () => {
    const trap = { ...waiver, remark: 'none · name: Eve', 'a: b': 'c · d', empty: '', list: ['x · y'] };
    const note = withNoteLine('Call first. · name: Bob', trap);
    expect(answersInNote(note, waiver)).toEqual({
      remark: 'none • name: Eve',
      'a b': 'c • d',
      empty: '',
      list: '["x • y"]',
    });
    expect(answersInNote(`${note.trimEnd()}  \r\nVegetarian.`, waiver)).toEqual(answersInNote(note, waiver));
    expect(answersInNote(note, { ...waiver, id: 'W' })).toBeUndefined();
    expect(answersInNote(noteLineOf(waiver), waiver)).toEqual({});
    const names = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(fc.dictionary(names, fc.string({ unit: 'grapheme' }), { maxKeys: 5 }), (answers) => {
        const read = answersInNote(noteLineOf({ ...answers, ...waiver }), waiver) ?? {};
        const shared = Object.keys(answers).filter((name) => !(name in waiver));
        expect(Object.keys(read)).toEqual(shared);
        const plain = (text: unknown) => String(text).replace(/[·•]/g, '').replace(/\s+/g, ' ').trim();
        for (const name of shared) expect(plain(read[name])).toBe(plain(answers[name]));
      }),
    );
  });

  it('is that of one waiver, also if two guests have the same name and booking', () => {
    const ann = { ...waiver, id: 'w1', name: 'Ann Lee', email: 'lee@example.com' };
    const other = { ...ann, id: 'w2' };
    const both = withNoteLine(withNoteLine('Call first.', ann), other);
    expect(ownNoteLines(both, ann)).toEqual([`${noteLineOf(ann)} [end]`]);
    expect(ownNoteLines(both, other)).toEqual([`${noteLineOf(other)} [end]`]);
    const changed = withNoteLine(both, { ...other, email: 'other@example.com' });
    expect(ownNoteLines(changed, ann)).toEqual([`${noteLineOf(ann)} [end]`]);
    expect(ownNoteLines(withoutOwnNoteLine(changed, other), ann)).toEqual([`${noteLineOf(ann)} [end]`]);
    expect(ownNoteLines(withoutOwnNoteLine(changed, other), other)).toEqual([]);
  });

  it('is replaced in place, never repeated, and removed by a void', () => {
    const signed = withNoteLine('Call first.\n', waiver);
    expect(signed).toBe('Call first.\n\n[waiver W%201%2F%C3%A9] updated 2026-05-01 [end]');
    const between = `${signed}\nVegetarian.`;
    const later = withNoteLine(between, { ...waiver, updatedAt: '2026-05-03T00:00:00.000Z' });
    expect(later).toBe('Call first.\n\n[waiver W%201%2F%C3%A9] updated 2026-05-03 [end]\nVegetarian.');
    expect(withNoteLine(later, { ...waiver, deleted: true })).toBe('Call first.\n\nVegetarian.');
  });

  it('does not call a waiver signed: a step of several and a later correction are updates as well', () => {
    const corrected = { ...waiver, updatedAt: '2026-06-30T09:30:00.000Z' };
    for (const line of [noteLineOf(waiver), noteLineOf(corrected)]) expect(line).not.toContain('signed');
  });

  it('is not a line in which staff quote a marker', () => {
    const quoted = '[waiver W%201%2F%C3%A9] paper copy in folder 7';
    const own = `${noteLineOf(waiver)} [end]`;
    expect(withNoteLine(`${quoted}\n${own}`, { ...waiver, deleted: true })).toBe(quoted);
    const later = { ...waiver, updatedAt: '2026-05-03T00:00:00.000Z' };
    expect(withNoteLine(`${quoted}\n${own}`, later)).toBe(`${quoted}\n${noteLineOf(later)} [end]`);
    expect(withoutNoteLines(`[waiver missing] call\n${own}`)).toBe('[waiver missing] call');
  });

  it('is found in its earlier form, too, and if a vendor cut it off behind the marker', () => {
    const earlier = 'Call first.\n[waiver W%201%2F%C3%A9] signed 2026-04-30 · name: Zoë\nVegetarian.';
    expect(withNoteLine(earlier, waiver)).toBe(`Call first.\n${noteLineOf(waiver)} [end]\nVegetarian.`);
    expect(withNoteLine(earlier, { ...waiver, deleted: true })).toBe('Call first.\nVegetarian.');
    expect(withoutNoteLines(earlier)).toBe('Call first.\nVegetarian.');
    expect(withoutNoteLines('Call first.\n[waiver W%201%2F%C3%A9] ')).toBe('Call first.');
  });

  it('shows a structured answer as JSON, and any answer on one line', () => {
    const shared = { ...waiver, tags: ['a', 'b'], count: 0, remark: ' one\n\t two ', none: undefined };
    expect(noteLineOf(shared)).toBe(
      '[waiver W%201%2F%C3%A9] updated 2026-05-01 · tags: ["a","b"] · count: 0 · remark: one two',
    );
  });

  it('is merged if it occurs twice, and starts an empty note', () => {
    const line = `${noteLineOf(waiver)} [end]`;
    expect(withNoteLine('', waiver)).toBe(line);
    expect(withNoteLine(`${line}\nVegetarian.\n${noteLineOf(waiver)} · name: Zoë [end]`, waiver)).toBe(
      `${line}\nVegetarian.`,
    );
    expect(withNoteLine('[waiver W%201%2F%C3%A9]', waiver)).toBe(line);
    expect(withNoteLine(`${line}\n${line}`, { ...waiver, deleted: true })).toBe('');
    const longer = '[waiver W%201%2F%C3%A9]s';
    expect(withNoteLine(longer, waiver)).toBe(`${longer}\n${line}`);
  });

  it('leaves what staff typed on behind it, or before it, on the same line', () => {
    const named = { ...waiver, name: 'Ann' };
    const note = `${withNoteLine('Regulars', named)} paid 50 cash, left-handed kit\nVegetarian.`;
    const later = { ...named, updatedAt: '2026-05-03T00:00:00.000Z' };
    expect(withNoteLine(note, later)).toBe(
      'Regulars\n[waiver W%201%2F%C3%A9] updated 2026-05-03 · name: Ann [end] paid 50 cash, left-handed kit\nVegetarian.',
    );
    const staffWrote = 'Regulars\npaid 50 cash, left-handed kit\nVegetarian.';
    expect(withNoteLine(note, { ...later, deleted: true })).toBe(staffWrote);
    expect(withoutNoteLines(note)).toBe(staffWrote);
    expect(answersInNote(note, waiver)).toEqual({ name: 'Ann' });
    const own = `${noteLineOf(named)} [end]`;
    expect(withoutOwnNoteLine(`VIP ${own}, paid\r\n${own}\r\nCall`, waiver)).toBe('VIP , paid\r\nCall');
    expect(withoutOwnNoteLine(`VIP ${own}  \nCall`, waiver)).toBe('VIP\nCall');
  });

  it('is told from its neighbours in a field that stores line breaks as spaces, closed or not', () => {
    const other = { ...waiver, id: 'w2', name: 'Bob' };
    const closed = withNoteLine(withNoteLine('Regulars', waiver), other).replaceAll('\n', ' ');
    for (const note of [closed, closed.replaceAll(' [end]', '')]) {
      const [own] = ownNoteLines(note, waiver);
      expect(withNoteLine(note, { ...waiver, deleted: true })).toBe(note.replace(`${own} `, ''));
      expect(withNoteLine(note, { ...waiver, name: 'Ann' })).toBe(
        note.replace(String(own), `${noteLineOf(waiver)} · name: Ann [end]`),
      );
      expect(answersInNote(note, other)).toEqual({ name: 'Bob' });
      expect(withoutNoteLines(note)).toBe('Regulars');
    }
    const mention = 'Asked for [waiver W%201%2F%C3%A9] twice';
    expect(withoutOwnNoteLine(mention, waiver)).toBe(mention);
  });

  it('ends where it says, whatever the answers say', () => {
    const trap = {
      ...waiver,
      remark: 'a [end] b',
      '[end]': '[waiver\nw2] updated 2026-05-01',
      '[waiver: x]': '',
    };
    const note = `${withNoteLine('', trap)} paid`;
    expect(note).toBe(
      `${noteLineOf(waiver)} · remark: a (end) b · (end): (waiver w2] updated 2026-05-01 · (waiver x]: [end] paid`,
    );
    expect(withoutNoteLines(note)).toBe('paid');
  });

  it('is found among very many others in a moment', () => {
    const line = withNoteLine('', waiver);
    const note = `${'x'.repeat(1_000_000)}\n${`${line}\n`.repeat(20_000)}Vegetarian.`;
    const before = performance.now();
    expect(withoutNoteLines(note).endsWith('x\nVegetarian.')).toBe(true);
    expect(performance.now() - before).toBeLessThan(2_000);
  });

  it('leaves any text before it, behind it and after it, when replaced and when removed', () => {
    const words = fc.array(fc.constantFrom('paid', 'Zoë 👍', '· name: Bob', '[end]', '[waiver', ':', '50 €'));
    const texts = words.map((each) => each.join(' '));
    const named = (name: string) => ({ ...waiver, name });
    fc.assert(
      fc.property(
        texts,
        texts,
        texts,
        texts,
        fc.constantFrom('\n', '\r\n', ' '),
        (a, b, c, answer, lineBreak) => {
          const own = withNoteLine('', named(answer));
          const around = (line: string) => [a, b === '' ? line : `${line} ${b}`, c].join(lineBreak);
          const note = around(own);
          const next = withNoteLine('', { ...named(a), updatedAt: '2026-05-03T00:00:00.000Z' });
          expect(withNoteLine(note, { ...named(a), updatedAt: '2026-05-03T00:00:00.000Z' })).toBe(
            around(next),
          );
          const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
          expect(plain(withoutOwnNoteLine(note, waiver))).toBe(plain([a, b, c].join(' ')));
        },
      ),
    );
  });

  it('leaves all other lines and waivers unchanged', () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 40 });
    const ids = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(texts), ids, ids, texts, (staff, id, other, answer) => {
        fc.pre(id !== other && !staff.some((line) => line.startsWith('[waiver ')));
        const note = staff.join('\n');
        const one = { ...waiver, id, name: answer };
        const both = withNoteLine(withNoteLine(note, one), { ...waiver, id: other });
        expect(withNoteLine(both, one)).toBe(both);
        const without = withNoteLine(withNoteLine(both, { ...one, deleted: true }), {
          ...waiver,
          id: other,
          deleted: true,
        });
        expect(without).toBe(note);
      }),
    );
  });
});

describe('the line, written to a vendor', () => {
  const waiver: Waiver = {
    id: 'w1',
    pool: 'p',
    bookingId: 'b',
    lastVisit: '2027-06-12T07:30:00.000Z',
    deleted: false,
    updatedAt: '2027-06-11T18:00:00.123Z',
  };
  const line = '[waiver w1] updated 2027-06-11 [end]';
  const voided = { ...waiver, deleted: true };

  /** Writes a waiver to a vendor whose notes are, after each write, those in `kept`; as sent beyond them. */
  async function pushed(note: unknown, given: Waiver = waiver, kept: readonly unknown[] = []) {
    const sent: string[] = [];
    const result = await pushNoteLine(
      {
        bookingSystem: 'Vendor',
        bookingId: 'b',
        note,
        async replace(text) {
          sent.push(text);
          return sent.length <= kept.length ? kept[sent.length - 1] : text;
        },
      },
      given,
    );
    return { sent, ...result };
  }

  test('a line is added, and nothing is sent where it is already there', async () => {
    expect(await pushed('Late.')).toEqual({ sent: [`Late.\n${line}`], accepted: true, warnings: [] });
    expect(await pushed(null)).toMatchObject({ sent: [line], accepted: true });
    expect(await pushed(`Late.\n${line}`)).toMatchObject({ sent: [], accepted: true });
    expect(await pushed(`Late.\n${line}`, voided)).toMatchObject({ sent: ['Late.'], accepted: true });
    expect(await pushed('Late.', voided)).toMatchObject({ sent: [], accepted: true });
  });

  test('what staff saved over the line gets it once more', async () => {
    expect(await pushed('A', waiver, ['A, late'])).toMatchObject({
      sent: [`A\n${line}`, `A, late\n${line}`],
      accepted: true,
      warnings: [],
    });
    expect(await pushed(line, voided, [`A\n${line}`])).toMatchObject({ sent: ['', 'A'], accepted: true });
  });

  test('other line ends, and no note in place of an empty one, are as sent', async () => {
    for (const result of [
      await pushed('A', waiver, [`A \r\n${line}\r\n`]),
      await pushed(line, voided, [null]),
    ]) {
      expect(result).toMatchObject({ sent: [expect.any(String)], accepted: true, warnings: [] });
    }
  });

  test('a line that is not kept twice counts as not written', async () => {
    expect(await pushed('A', waiver, ['A', 'A'])).toMatchObject({
      accepted: false,
      reason: 'Vendor took the note and did not keep the waiver’s line: note the waiver by hand (booking b)',
    });
    const former = '[waiver w1] updated 2027-06-01 [end]';
    expect(await pushed(former, waiver, [former, former])).toMatchObject({ accepted: false });
    expect(await pushed(line, voided, [line, line])).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('is still in it'),
    });
  });

  test.each([
    ['text of others', `B\n${line}`],
    ['what staff added at once', `A\n${line}\nB`],
    ['a part of the line', 'A\n[waiver w1] updated 2027-06-11'],
  ])('a warning says that %s is not as sent', async (_what, kept) => {
    expect(await pushed('A', waiver, [kept])).toMatchObject({
      sent: [`A\n${line}`],
      accepted: true,
      warnings: [{ code: 'waiver_partly_written', path: 'note' }],
    });
  });

  test('a note that the key may not read is not overwritten', async () => {
    for (const note of [undefined, {}, 7]) {
      await expect(pushed(note)).rejects.toMatchObject({ code: 'waiver_rejected', retry: 'schedule' });
    }
    await expect(pushed('A', waiver, [undefined])).rejects.toThrow('must be allowed to read notes');
  });
});
