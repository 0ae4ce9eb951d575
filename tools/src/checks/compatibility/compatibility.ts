import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { readUnreleased } from '../../release/changelog.ts';

/** A JSON Schema, with the keywords that are compared. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly $ref?: string | undefined;
  readonly $defs?: Readonly<Record<string, JsonSchema>> | undefined;
  readonly type?: string | string[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly required?: readonly string[] | undefined;
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined;
  readonly additionalProperties?: boolean | JsonSchema | undefined;
  readonly items?: boolean | JsonSchema | undefined;
  readonly anyOf?: readonly JsonSchema[] | undefined;
  readonly oneOf?: readonly JsonSchema[] | undefined;
  readonly allOf?: readonly JsonSchema[] | undefined;
}

/** See {@link JsonSchema}. */
export const jsonSchemaSchema: z.ZodType<JsonSchema> = z.lazy(() => {
  const byName = z.record(z.string(), jsonSchemaSchema).optional();
  const list = z.array(jsonSchemaSchema).optional();
  const inner = z.union([z.boolean(), jsonSchemaSchema]).optional();
  return z.looseObject({
    $ref: z.string().optional(),
    $defs: byName,
    type: z.union([z.string(), z.array(z.string())]).optional(),
    enum: z.array(z.unknown()).optional(),
    required: z.array(z.string()).optional(),
    properties: byName,
    additionalProperties: inner,
    items: inner,
    anyOf: list,
    oneOf: list,
    allOf: list,
  });
});

/** Whether others send it to the service, which must go on taking it, or get it, and must go on finding what they use. */
export type Direction = 'received' | 'sent';

/** A schema of the release or of now, and the document that its references point into. */
interface Side {
  readonly schema: JsonSchema;
  readonly document: JsonSchema;
}

function resolve({ schema, document }: Side): Side {
  const { $ref, ...beside } = schema;
  if ($ref === undefined) return { schema, document };
  const found = $ref === '#' ? document : document.$defs?.[$ref.replace('#/$defs/', '')];
  if (found === undefined) throw new Error(`a schema refers to ${$ref}, which is not in it`);
  return resolve({ schema: { ...found, ...beside }, document });
}

/** The schemas of which a value must match one, each of one type. */
function alternatives(side: Side): Side[] {
  const { schema, document } = resolve(side);
  const { type, anyOf, oneOf } = schema;
  const choice = anyOf ?? oneOf;
  if (choice !== undefined) return choice.flatMap((one) => alternatives({ schema: one, document }));
  if (!Array.isArray(type)) return [{ schema, document }];
  return type.map((one) => ({ schema: { ...schema, type: one }, document }));
}

const least = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const most = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const same = ['pattern', 'format', 'multipleOf', 'uniqueItems', 'contentEncoding'];

const textOf = (value: unknown) => (value === undefined ? 'any' : JSON.stringify(value));
const valuesOf = ({ const: only, enum: values }: JsonSchema) =>
  values ?? (only === undefined ? undefined : [only]);

/** Values that the former schema took, and the present one refuses. */
function refusals(former: JsonSchema, present: JsonSchema): string[] {
  const allowed = valuesOf(present)?.map(textOf);
  const lost = valuesOf(former)
    ?.map(textOf)
    .filter((value) => allowed?.includes(value) === false);
  const bounds = [
    ...least.filter((key) => Number(present[key]) > Number(former[key] ?? Number.NEGATIVE_INFINITY)),
    ...most.filter((key) => Number(present[key]) < Number(former[key] ?? Number.POSITIVE_INFINITY)),
    ...same.filter((key) => present[key] !== undefined && present[key] !== former[key]),
  ];
  return [
    ...(lost ?? []).map((value) => `no longer takes ${value}`),
    ...(allowed !== undefined && lost === undefined ? [`takes only ${allowed.join(', ')}`] : []),
    ...bounds.map((key) => `has the ${key} ${textOf(present[key])}, not ${textOf(former[key])}`),
    ...(textOf(former.default) === textOf(present.default)
      ? []
      : [`has the default ${textOf(present.default)}, not ${textOf(former.default)}`]),
    ...(present.additionalProperties === false && former.additionalProperties !== false
      ? ['refuses other fields']
      : []),
  ];
}

const isOfType = (wide: JsonSchema, narrow: JsonSchema) =>
  wide.type === undefined ||
  wide.type === narrow.type ||
  (wide.type === 'number' && narrow.type === 'integer');

const isSchema = (value: JsonSchema | boolean | undefined): value is JsonSchema => typeof value === 'object';

/**
 * What a change of a schema takes away or tightens, in sentences that begin with the place: `guests[].name is gone`.
 * An answer may get more values and fields; what is sent to the service may be more, too.
 */
export function schemaChanges(direction: Direction, former: JsonSchema, present: JsonSchema): string[] {
  const isReceived = direction === 'received';

  function ofOne(before: Side, now: Side, path: string, seen: ReadonlySet<string>): string[] {
    const [wide, narrow] = isReceived ? [now.schema, before.schema] : [before.schema, now.schema];
    const within = (name: string) => (path === '' ? name : `${path}.${name}`);
    const say = (sentence: string) => `${path === '' ? 'it' : path} ${sentence}`;
    const inside = (one: JsonSchema | boolean | undefined, other: typeof one, at: string): string[] =>
      isSchema(one) && isSchema(other)
        ? changes({ ...before, schema: one }, { ...now, schema: other }, at, seen)
        : [];
    if (!isOfType(wide, narrow))
      return [say(`is ${textOf(now.schema.type)}, not ${textOf(before.schema.type)}`)];
    const fields = now.schema.properties ?? {};
    const formerFields = Object.entries(before.schema.properties ?? {});
    const gone = formerFields.filter(([name]) => !(name in fields)).map(([name]) => name);
    const required = (wide.required ?? []).filter(
      (name) => !narrow.required?.includes(name) && !gone.includes(name),
    );
    const parts = (now.schema.allOf ?? []).flatMap((one, index) =>
      inside(before.schema.allOf?.[index], one, path),
    );
    return [
      ...(isReceived ? refusals(before.schema, now.schema).map(say) : []),
      ...gone.map((name) => `${within(name)} is gone`),
      ...required.map((name) => `${within(name)} ${isReceived ? 'is now required' : 'may now be absent'}`),
      ...formerFields.flatMap(([name, schema]) => inside(schema, fields[name], within(name))),
      ...inside(before.schema.items, now.schema.items, `${path}[]`),
      ...inside(before.schema.additionalProperties, now.schema.additionalProperties, within('*')),
      ...parts,
    ];
  }

  function changes(before: Side, now: Side, path: string, seen: ReadonlySet<string>): string[] {
    const pair = `${before.schema.$ref} ${now.schema.$ref}`;
    const isReference = before.schema.$ref !== undefined && now.schema.$ref !== undefined;
    if (isReference && seen.has(pair)) return [];
    const inner = isReference ? new Set([...seen, pair]) : seen;
    const [all, others] = [alternatives(before), alternatives(now)];
    // Each alternative on one side needs one on the other; if none fits, the nearest says why.
    const [narrow, wide] = isReceived ? [all, others] : [others, all];
    return narrow.flatMap((one) => {
      const found = wide.map((other) => {
        const [first, second] = isReceived ? [one, other] : [other, one];
        const reasons = ofOne(first, second, path, inner);
        return { reasons, distance: reasons.length + (isOfType(other.schema, one.schema) ? 0 : 1_000) };
      });
      return found.toSorted((first, second) => first.distance - second.distance)[0]?.reasons ?? [];
    });
  }

  return [
    ...new Set(
      changes({ schema: former, document: former }, { schema: present, document: present }, '', new Set()),
    ),
  ];
}

/** A part of something that others rely on. */
export interface Offer {
  /** A route, a schema of the contract, an interface, a setting, a metric, as CHANGELOG.md names it. */
  readonly subject: string;
  /** Such as a route's `query`, `body` or `200`. */
  readonly part: string;
  readonly direction: Direction;
  readonly schema: JsonSchema;
}

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
