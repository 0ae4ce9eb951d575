import type { Warning } from '@waiver-service/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keptWarnings } from '../../src/dispatcher/send-message.ts';

const warning = fc.record(
  {
    code: fc.constant('waiver_partly_written' as const),
    path: fc.string({ maxLength: 400, unit: 'grapheme' }),
    message: fc.string({ maxLength: 1_200, unit: 'grapheme' }),
  },
  { requiredKeys: ['code', 'message'] },
);

test('however many and long they are, stored warnings are limited, and state how many were omitted', () => {
  fc.assert(
    fc.property(fc.array(warning, { maxLength: 120 }), (warnings) => {
      const kept = keptWarnings(warnings);
      expect(kept.length).toBeLessThanOrEqual(50);
      expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(16_384);
      const last = kept.at(-1);
      const leftOut = last?.code === 'warnings_left_out' ? Number.parseInt(last.message, 10) : 0;
      expect(kept.length - (leftOut > 0 ? 1 : 0) + leftOut).toBe(warnings.length);
    }),
  );
});

test('as many as may be kept are all kept, as they are', () => {
  const warnings: Warning[] = Array.from({ length: 50 }, (_, place) => ({
    code: 'waiver_partly_written',
    message: `part ${place}`,
  }));
  expect(keptWarnings(warnings)).toEqual(warnings);
  expect(keptWarnings([...warnings, ...warnings]).at(-1)?.message).toBe('51 more warnings are not kept');
});

test('one that is left out is one', () => {
  const warnings: Warning[] = Array.from({ length: 51 }, () => ({ code: 'item_skipped', message: 'x' }));
  expect(keptWarnings(warnings).at(-1)).toEqual({
    code: 'warnings_left_out',
    message: '2 more warnings are not kept',
  });
  const long = 'x'.repeat(500);
  // As many as fit into 16 KiB beside the one that counts the omitted.
  const bytesOfOne = Buffer.byteLength(JSON.stringify({ code: 'item_skipped', message: long })) + 1;
  const fitting = Math.floor((16_384 - 100) / bytesOfOne);
  const filled = (count: number): Warning[] =>
    Array.from({ length: count }, () => ({ code: 'item_skipped', message: long }));
  expect(keptWarnings(filled(fitting))).toHaveLength(fitting);
  expect(keptWarnings(filled(fitting + 1)).at(-1)?.message).toBe('1 more warning is not kept');
});

test('a long message and a long path are cut, and end in an ellipsis', () => {
  const kept = (path: string, message: string) => keptWarnings([{ code: 'value_ignored', path, message }]);
  expect(kept('p'.repeat(200), 'm'.repeat(500))).toEqual([
    { code: 'value_ignored', path: 'p'.repeat(200), message: 'm'.repeat(500) },
  ]);
  expect(kept('p'.repeat(201), 'm'.repeat(501))).toEqual([
    { code: 'value_ignored', path: `${'p'.repeat(199)}…`, message: `${'m'.repeat(499)}…` },
  ]);
});
