import type { Waiver } from '@waiver-service/core';
import { expect, test } from 'vitest';
import { pushNoteLine } from '../src/index.ts';

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
