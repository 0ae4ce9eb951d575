import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { readUnreleased } from '../../release/changelog.ts';
import { jsonSchemaSchema, schemaChanges } from './schema-changes.ts';
import type { Offer } from './surface.ts';

const path = 'tools/src/checks/compatibility/last-release.json.gz';

const releasedSchema = z.object({
  version: z.string(),
  offers: z.array(
    z.object({
      subject: z.string(),
      part: z.string(),
      direction: z.enum(['received', 'sent']),
      schema: jsonSchemaSchema,
    }),
  ),
});

/** What a release offered to others. */
export type ReleasedSurface = z.infer<typeof releasedSchema>;

/** Keeps what a release offers, in the repository at `root`. */
export function writeReleasedSurface(root: string, released: ReleasedSurface): void {
  writeFileSync(join(root, path), gzipSync(JSON.stringify(released), { level: 9 }));
}

/** Reads what the last release offered. */
export function readReleasedSurface(root: string): ReleasedSurface {
  return releasedSchema.parse(JSON.parse(gunzipSync(readFileSync(join(root, path))).toString()));
}

interface Break {
  readonly subject: string;
  readonly sentence: string;
}

const keyOf = ({ subject, part }: Pick<Offer, 'subject' | 'part'>) => `${subject}\n${part}`;

function breaksOf(released: readonly Offer[], present: readonly Offer[]): Break[] {
  const now = new Map(present.map((offer) => [keyOf(offer), offer]));
  const subjects = new Set(present.map(({ subject }) => subject));
  const formerSubjects = new Set(released.map(({ subject }) => subject));
  const formerKeys = new Set(released.map(keyOf));
  const gone = [...formerSubjects].filter((subject) => !subjects.has(subject));
  return [
    ...gone.map((subject) => ({ subject, sentence: 'it is gone' })),
    ...released
      .filter(({ subject }) => subjects.has(subject))
      .flatMap(({ subject, part, direction, schema }) => {
        const offer = now.get(keyOf({ subject, part }));
        if (offer === undefined) return [{ subject, sentence: `${part}: it is gone` }];
        return schemaChanges(direction, schema, offer.schema).map((sentence) => ({
          subject,
          sentence: `${part}: ${sentence}`,
        }));
      }),
    // A new query or body of a former route must not be required.
    ...present
      .filter((offer) => formerSubjects.has(offer.subject) && !formerKeys.has(keyOf(offer)))
      .flatMap(({ subject, part, direction, schema }) =>
        direction === 'sent'
          ? []
          : schemaChanges(direction, { type: 'object', additionalProperties: false }, schema).map(
              (sentence) => ({
                subject,
                sentence: `${part}: ${sentence}`,
              }),
            ),
      ),
  ];
}

/**
 * What was taken away or tightened since the last release and is not named below "Breaking" in CHANGELOG.md.
 *
 * @param changelog - the text of CHANGELOG.md
 */
export function findUnannouncedBreaks(
  { version, offers }: ReleasedSurface,
  present: readonly Offer[],
  changelog: string,
): string[] {
  const { breaking } = readUnreleased(changelog);
  return breaksOf(offers, present)
    .filter(({ subject }) => !breaking.includes(`\`${subject}\``))
    .map(
      ({ subject, sentence }) =>
        `${subject}: ${sentence}, unlike in ${version}: keep it, or name \`${subject}\` in CHANGELOG.md below "Breaking"`,
    );
}
