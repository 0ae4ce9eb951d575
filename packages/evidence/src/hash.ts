import { createHash } from 'node:crypto';

/** The format's name and version. Begins each hashed message, so that none can pass for another kind. */
export const evidenceFormat = 'waiver-evidence/1';

/**
 * Hex SHA-256 of lines: `waiver-evidence/1 <kind>`, then the others, joined by line feeds. Unambiguous, because only
 * the last line may contain a line feed: the callers' other lines are hex, whole numbers and names from a fixed list.
 */
export function hashLines(kind: string, ...lines: readonly string[]): string {
  return createHash('sha256')
    .update([`${evidenceFormat} ${kind}`, ...lines].join('\n'))
    .digest('hex');
}
