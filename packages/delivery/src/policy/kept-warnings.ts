import type { Warning } from '@waiver-service/core';

const maxWarnings = 50;
const maxMessageLength = 500;
const maxPathLength = 200;
const maxBytes = 16_384;

const cut = (text: string, maxLength: number) =>
  text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;

const leftOut = (count: number): Warning => ({
  code: 'warnings_left_out',
  message: `${count} more ${count === 1 ? 'warning is' : 'warnings are'} not kept`,
});

/**
 * Limits the stored warnings of an attempt to 50 and 16 KiB in total, each shortened if necessary. The last one states
 * how many were omitted.
 */
export function keptWarnings(warnings: readonly Warning[]): readonly Warning[] {
  const kept: Warning[] = [];
  let bytes = Buffer.byteLength(JSON.stringify([leftOut(warnings.length)]));
  for (const { code, path, message } of warnings) {
    const warning = {
      code,
      ...(path === undefined ? {} : { path: cut(path, maxPathLength) }),
      message: cut(message, maxMessageLength),
    };
    bytes += Buffer.byteLength(JSON.stringify(warning)) + 1;
    // One place is reserved for the number of omitted warnings.
    const isFull = kept.length + 1 === maxWarnings && warnings.length > maxWarnings;
    if (isFull || bytes > maxBytes) return [...kept, leftOut(warnings.length - kept.length)];
    kept.push(warning);
  }
  return kept;
}
