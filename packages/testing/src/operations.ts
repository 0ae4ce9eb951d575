import { call } from './host-calls.ts';

/** One operation of the OpenAPI document that a host serves. */
export interface DocumentedOperation {
  readonly method: string;
  /** With its placeholders, such as `{pool}`. */
  readonly path: string;
  readonly needsToken: boolean;
  /** The names of the body's fields; `undefined` where the operation takes no body. */
  readonly bodyFields: readonly string[] | undefined;
}

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;
const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inside, name) => (isObject(inside) ? inside[name] : undefined), value);

function fieldsOf(document: JsonObject, schema: unknown): string[] {
  const reference = at(schema, '$ref');
  if (typeof reference === 'string')
    return fieldsOf(document, at(document, ...reference.slice(2).split('/')));
  const properties = at(schema, 'properties');
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => {
    const list = at(schema, name);
    return Array.isArray(list) ? list.flatMap((part) => fieldsOf(document, part)) : [];
  });
  return [...(isObject(properties) ? Object.keys(properties) : []), ...parts];
}

/** Every operation of the live document of a host. */
export async function documentedOperations(url: string): Promise<DocumentedOperation[]> {
  const document: JsonObject = (await call(`${url}/openapi.json`, undefined, { method: 'GET' })).body;
  const { paths } = document;
  if (!isObject(paths)) throw new Error('the document has no paths');
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(isObject(operations) ? operations : {}).map(([method, operation]) => {
      const security = at(operation, 'security') ?? at(document, 'security');
      const body = at(operation, 'requestBody', 'content', 'application/json', 'schema');
      return {
        method: method.toUpperCase(),
        path,
        needsToken: Array.isArray(security) && security.length > 0,
        bodyFields: body === undefined ? undefined : fieldsOf(document, body),
      };
    }),
  );
}

/** A path with its placeholders filled: the pool, the booking system, a day, and one value for the others. */
export function filledPath(
  path: string,
  { pool, bookingSystem, other }: { pool: string; bookingSystem: string; other: string },
): string {
  return path
    .replace('{pool}', pool)
    .replace('{booking_system}', bookingSystem)
    .replace('{date}', '2027-06-12')
    .replaceAll(/\{\w+\}/g, other);
}
