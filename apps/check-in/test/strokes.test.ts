import { isDrawn, signingLimits, signingSchema } from '@waiver-service/forms';
import { expect, test } from 'vitest';
import { emptyDrawing, isFull, pathOf, withPoint } from '../src/fields/signature.tsx';

test('a stroke is kept in whole pixels of the pad and milliseconds, and none of it leaves the pad', () => {
  const begun = withPoint(emptyDrawing(299.6, 176), [10.4, 20.6, 0], true);
  const drawn = withPoint(begun, [-5, 500, 12.7], false);
  expect(drawn).toEqual({
    width: 300,
    height: 176,
    strokes: [
      [
        [10, 21, 0],
        [0, 176, 13],
      ],
    ],
  });
});

test('the trembling of a finger that rests adds no points', () => {
  const begun = withPoint(emptyDrawing(300, 176), [10, 20, 0], true);
  expect(withPoint(begun, [10.6, 20.4, 8], false)).toBe(begun);
});

test('a stray dot is seen and is no signature', () => {
  const dot = withPoint(emptyDrawing(300, 176), [10, 20, 0], true);
  expect(dot.strokes.map(pathOf)).toEqual(['M10 20h0']);
  expect(isDrawn(dot)).toBe(false);
});

test('a line goes through its first and last point, without corners between', () => {
  expect(
    pathOf([
      [0, 0, 0],
      [10, 10, 1],
      [20, 0, 2],
      [30, 10, 3],
    ]),
  ).toBe('M0 0Q10 10 15 5Q20 0 25 5L30 10');
});

test('however long someone draws, it can be sent', () => {
  let drawing = emptyDrawing(300, 176);
  for (let index = 0; index < signingLimits.points + 500; index += 1) {
    drawing = withPoint(drawing, [(index * 7) % 300, (index * 11) % 176, index * 1_000], index % 10 === 0);
  }
  expect(isFull(drawing)).toBe(true);
  const at = '2027-07-10T08:00:00.000Z';
  const { success } = signingSchema.safeParse({
    id: crypto.randomUUID(),
    form: 'f',
    version: 1,
    language: 'en',
    guests: [{ answers: {} }],
    signer: { takesPart: true, answers: {} },
    acts: [{ item: 's', guest: 0, at, act: 'sign', method: 'draw', ...drawing }],
    times: { openedAt: at, signedAt: at },
  });
  expect(success).toBe(true);
});
