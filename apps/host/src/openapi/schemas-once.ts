import { isDeepStrictEqual } from 'node:util';

type Schemas = Readonly<Record<string, unknown>>;

// Each schema is generated twice: for requests, with this suffix, and for responses.
const suffix = 'Input';
const anyReference = /"#\/components\/schemas\/([^"]+)"/g;

const referredIn = (value: unknown) =>
  [...(JSON.stringify(value) ?? '').matchAll(anyReference)].map(([, name = '']) => name);

/** The names of the schemas that a part of a document refers to, also through other schemas. */
export function reachableFrom(document: object, schemas: Schemas): Set<string> {
  const { components: _, ...rest } = { components: undefined, ...document };
  const reached = new Set<string>();
  const waiting = referredIn(rest);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    waiting.push(...referredIn(schemas[name]));
  }
  return reached;
}

const renamed = (value: unknown, newName: (name: string) => string): unknown =>
  JSON.parse(
    JSON.stringify(value).replaceAll(
      anyReference,
      (_, name: string) => `"#/components/schemas/${newName(name)}"`,
    ),
  );

/** The schemas that need two forms: both are used, and differ in more than the names they refer to. */
function findDiffering(schemas: Schemas, used: ReadonlySet<string>): Set<string> {
  const base = (name: string) => (name.endsWith(suffix) ? name.slice(0, -suffix.length) : name);
  const twice = [...used].filter((name) => used.has(`${name}${suffix}`));
  const differing = new Set(
    twice.filter(
      (name) => !isDeepStrictEqual(renamed(schemas[name], base), renamed(schemas[`${name}${suffix}`], base)),
    ),
  );
  // A schema that refers to one with two forms has two forms itself.
  for (let before = -1; before !== differing.size; ) {
    before = differing.size;
    for (const name of twice) {
      if (referredIn(schemas[name]).some((inner) => differing.has(inner))) differing.add(name);
    }
  }
  return differing;
}

/** Removes duplicate and unused schemas from the components of an OpenAPI document. */
export function withSchemasOnce<Document extends object>(document: Document): Document {
  const { components = {} }: { readonly components?: { readonly schemas?: Schemas } } = document;
  const { schemas = {} } = components;
  const used = reachableFrom(document, schemas);
  const differing = findDiffering(schemas, used);
  const newName = (name: string) => {
    const base = name.slice(0, -suffix.length);
    return name.endsWith(suffix) && base in schemas && !differing.has(base) ? base : name;
  };
  const kept = [...used].toSorted().map((name) => [newName(name), schemas[name]]);
  const once = { ...document, components: { ...components, schemas: Object.fromEntries(kept) } };
  return JSON.parse(JSON.stringify(renamed(once, newName)));
}
