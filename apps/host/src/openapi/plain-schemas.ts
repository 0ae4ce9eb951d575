import { isDeepStrictEqual } from 'node:util';
import { reachableFrom } from './schemas-once.ts';

type Keywords = Readonly<Record<string, unknown>>;

const isKeywords = (value: unknown): value is Keywords =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// The pattern of each is generated from the format, and longer than the rest of the schema.
const formatsWithPattern: ReadonlySet<unknown> = new Set(['date', 'date-time', 'uuid']);

/** `anyOf` a schema of one type and null, as the one schema of two types. */
function withNull(schema: Keywords): Keywords {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [type, none]: unknown[] = anyOf;
  if (!isKeywords(type) || !isKeywords(none) || typeof type.type !== 'string') return schema;
  if (none.type !== 'null' || Object.keys(none).length !== 1 || 'enum' in type || 'const' in type)
    return schema;
  return { ...type, ...rest, type: [type.type, 'null'] };
}

/** Leaves out what the other keywords of a schema or JSON itself say, and the bounds within which JSON carries integers. */
function plainSchema(schema: Keywords): Keywords {
  const kept = Object.entries(schema).filter(
    ([keyword, value]) =>
      !(
        (keyword === 'pattern' && formatsWithPattern.has(schema.format)) ||
        (keyword === 'propertyNames' && isDeepStrictEqual(value, { type: 'string' })) ||
        (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
        (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER)
      ),
  );
  return withNull(Object.fromEntries(kept));
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isKeywords(value)) return value;
  return plainSchema(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)])));
}

/** An OpenAPI document whose schemas say each thing once. */
export const withPlainSchemas = (document: object): object => ({ ...document, ...Object(plain(document)) });

function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open);
  if (!isKeywords(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([keyword, inner]) => keyword !== 'additionalProperties' || inner !== false)
      .map(([name, inner]) => [name, open(inner)]),
  );
}

interface Described {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Keywords>>>>;
  readonly webhooks?: object;
  readonly components?: { readonly schemas?: Keywords };
}

/** Lets answers have more fields, which a later version may add; requests stay as strict as they are. */
export function withOpenAnswers(document: object): object {
  const { paths = {}, webhooks = {}, components = {} }: Described = document;
  const { schemas = {} } = components;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const requests = operations.map(({ responses: _, ...request }) => request);
  const strict = reachableFrom({ requests, webhooks }, schemas);
  const opened = Object.entries(schemas).map(([name, schema]) => [
    name,
    strict.has(name) ? schema : open(schema),
  ]);
  const openedPaths = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, { responses, ...request }]) => [
        method,
        { ...request, responses: open(responses) },
      ]),
    ),
  ]);
  return {
    ...document,
    paths: Object.fromEntries(openedPaths),
    components: { ...components, schemas: Object.fromEntries(opened) },
  };
}
