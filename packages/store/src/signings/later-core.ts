import type { LaterCore } from '@waiver-service/evidence';
import { z } from 'zod';

/** An event after a signing that is yet to be sealed. */
export interface UnsealedEvent {
  readonly id: string;
  readonly kind: 'correction' | 'void' | 'erasure';
  readonly at: Date;
  readonly waiverId: string | null;
  /** JSON. */
  readonly erased: string | null;
  /** The leaf of the signing. */
  readonly of: string;
  readonly actor: string | null;
  /** JSON, as in `waiver_version`; also null if the version is gone. */
  readonly fieldChanges: string | null;
  readonly answerChanges: string | null;
}

const fieldChangesSchema = z.array(z.object({ field: z.string() }));
const answerChangesSchema = z.record(z.string(), z.unknown());
const erasedSchema = z.object({
  parts: z.array(z.enum(['core', 'person', 'sensitive', 'ink', 'trace'])),
  entries: z.array(z.string()),
  photos: z.array(z.string()),
});

const changedNames = ({ fieldChanges, answerChanges }: UnsealedEvent): readonly string[] => [
  ...fieldChangesSchema.parse(JSON.parse(fieldChanges ?? '[]')).map(({ field }) => field),
  ...Object.keys(answerChangesSchema.parse(JSON.parse(answerChanges ?? '{}'))),
];

/** The core part of a later record: the names of what was changed, without values. */
export function laterCore(event: UnsealedEvent): LaterCore {
  const about = { of: event.of, at: event.at.toISOString() };
  if (event.kind === 'erasure') {
    return { kind: 'erasure', ...about, ...erasedSchema.parse(JSON.parse(event.erased ?? '')) };
  }
  const waivers = event.waiverId === null ? [] : [event.waiverId];
  return { kind: event.kind, ...about, waivers, by: event.actor, changed: [...changedNames(event)] };
}
