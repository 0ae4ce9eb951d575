import type { WaiverPlan } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import type { ColumnType } from '../database/rows-of.ts';

/*
 * The table `waiver_version` has a row for each stored version, written in the waiver's own statement. It holds not the
 * whole record, but what changed:
 *
 *   former_version   the version that it replaced; 0: none. Two less if the record moved: the version in between took it
 *                    back from its previous place
 *   actor            who made it; null if that is not known
 *   field_changes    JSON: a list of FieldChange; null for version 1
 *   answer_changes   JSON: AnswerChange by name; null for version 1, and where none changed. Guests' data
 *
 * Versions stored by older builds have no row. A trigger deletes a waiver's rows with it.
 */

/** Its columns, in the order of their values. */
export const versionColumns: RawBuilder<unknown> = sql.raw(
  'pool, waiver_id, version, former_version, at, actor, actor_name, field_changes, answer_changes',
);

/** The types of {@link versionOf}. */
export const versionTypes = {
  formerVersion: 'integer',
  actor: 'text',
  actorName: 'text',
  fieldChanges: 'text',
  answerChanges: 'text',
} as const satisfies Readonly<Record<string, ColumnType>>;

/** The values of the version that a plan stores, besides those of the record itself. */
export function versionOf({ formerVersion, by, changes }: WaiverPlan): {
  readonly [Name in keyof typeof versionTypes]: string | number | null;
} {
  const hasAnswers = changes !== undefined && Object.keys(changes.answers).length > 0;
  return {
    formerVersion,
    actor: by?.id ?? null,
    actorName: by?.name ?? null,
    fieldChanges: changes === undefined ? null : JSON.stringify(changes.fields),
    answerChanges: hasAnswers ? JSON.stringify(changes.answers) : null,
  };
}
