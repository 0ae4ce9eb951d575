import { isDeepStrictEqual } from 'node:util';
import {
  fieldProblemSchema,
  linkProblem,
  poolBusyProblem,
  type Role,
  type RouteAccess,
} from '@waiver-service/api';
import {
  bookedSessionSchema,
  bookingNotFoundSchema,
  bookingSchema,
  capabilitiesSchema,
  contactSchema,
  currentBookingSchema,
  guestSchema,
  guestUpdateResponseSchema,
  guestUpdateSchema,
  guestWebhookSchema,
  installRequestSchema,
  installResponseSchema,
  legacyBookingSchema,
  requestLimitsSchema,
  uninstallResponseSchema,
  waiverSchema,
  webhookGuestSchema,
} from '@waiver-service/core';
import { z } from 'zod';
import { isRole, isScope } from '../callers/access.ts';

const problem = (description: string) => ({
  description,
  content: { 'application/json': { schema: componentReference('Problem') } },
});

/** The refusals that many routes have. */
const sharedProblems = {
  400: 'the body, the query or the path is malformed; `errors` lists the faults.',
  401: 'the token is missing or wrong.',
  403: 'the role, the scope (`scope_missing`) or the access to the pool that the route requires is missing.',
  404: 'a resource that the path identifies does not exist; `code` says which.',
  408: 'the body arrived too slowly (`request_timeout`): send the request again.',
  413: 'the body is too large, or the record would become too large.',
  415: 'the body is not JSON.',
  429: 'too many calls with a wrong key or token from this address (a valid one is always accepted), or too many requests without a token (`too_many_requests`). See Retry-After.',
  500: 'internal error.',
  503: 'the database is temporarily unavailable: repeat the request. See Retry-After.',
};

/** The responses that many routes have, by their component names. */
export const sharedResponses = {
  NoContent: { description: 'The request succeeded. The response has no body.' },
  Erased: problem('The waiver was erased (`waiver_erased`).'),
  LinkRefused: problem(linkProblem),
  PoolBusy: problem(poolBusyProblem),
  Problem: problem(
    [
      'Any other refusal.',
      ...Object.entries(sharedProblems).map(([status, text]) => `${status}: ${text}`),
    ].join(' '),
  ),
};

const problemsOfBookingSystems: Readonly<Record<number, string>> = {
  401: 'The key is missing or wrong.',
  403: 'The key belongs to another pool, or the installation to another account.',
  404: 'Unknown booking system or pool.',
  409: 'The booking system is installed with another account.',
};

/** The properties of a route that its common responses depend on. */
interface DescribedRoute {
  readonly access: RouteAccess;
  /** Whether its requests count against the budget of their address. */
  readonly isBudgeted: boolean;
  readonly hasBody: boolean;
  readonly hasParams: boolean;
}

/** The statuses of a route that its `default` response stands for. */
export function sharedStatuses({ access, isBudgeted, hasBody, hasParams }: DescribedRoute): number[] {
  const hasToken = isRole(access) || isScope(access);
  return [
    ...(hasToken ? [400, 401, 403, 429] : []),
    ...(access === 'booking-system' ? [400, 429] : []),
    ...(isBudgeted ? [429] : []),
    ...(hasBody ? [400, 408, 413, 415] : []),
    ...(hasParams ? [404] : []),
    ...(access === 'public' ? [] : [503]),
    500,
  ];
}

/** The refusals of a route, in addition to its own answers: those that it alone has, and `default`. */
export function refusals(access: RouteAccess, problems: Readonly<Record<number, string>>): object {
  const named = { ...(access === 'booking-system' ? problemsOfBookingSystems : {}), ...problems };
  return {
    ...Object.fromEntries(Object.entries(named).map(([status, text]) => [status, problem(text)])),
    default: sharedResponses.Problem,
  };
}

const minimumRoles: Readonly<Record<Role, string>> = {
  owner: 'For owners.',
  operator: 'For operators and owners.',
  viewer: 'For viewers, operators and owners.',
};

/** The sentence that says which role or scope a route takes; `undefined` if it takes none. */
export function describeAccess(access: RouteAccess): string | undefined {
  if (isScope(access)) return `Access tokens require the scope \`${access}\`.`;
  return isRole(access) ? minimumRoles[access] : undefined;
}

/** How a caller of a route authenticates. */
export function securityOf(access: RouteAccess): Readonly<Record<string, readonly string[]>>[] {
  if (isRole(access)) return [{ credential: [] }, { adminToken: [] }];
  if (isScope(access)) return [{ poolAccessToken: [] }, { credential: [] }, { adminToken: [] }];
  return [];
}

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

type Schemas = Readonly<Record<string, unknown>>;

// Each schema is generated twice: for requests, with this suffix, and for responses.
const suffix = 'Input';
const anyReference = /"#\/components\/schemas\/([^"]+)"/g;

const referredIn = (value: unknown) =>
  [...(JSON.stringify(value) ?? '').matchAll(anyReference)].map(([, name = '']) => name);

/** The names of the schemas that a part of a document refers to, also through other schemas. */
function reachableFrom(document: object, schemas: Schemas): Set<string> {
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

/** The body of every error response. */
const problemSchema = z.object({
  success: z.literal(false),
  message: z.string().describe('Description of the error, for people.'),
  code: z.string().describe('Kind of error, for programs.'),
  errors: z.array(fieldProblemSchema).optional().describe('The faults of a malformed body, query or path.'),
});

const named = {
  Problem: problemSchema,
  Contact: contactSchema,
  BookedSession: bookedSessionSchema,
  Guest: guestSchema,
  ContractBooking: currentBookingSchema,
  LegacyBooking: legacyBookingSchema,
  BookingNotFound: bookingNotFoundSchema,
  Booking: bookingSchema,
  Capabilities: capabilitiesSchema,
  RequestLimits: requestLimitsSchema,
  Waiver: waiverSchema,
  GuestUpdate: guestUpdateSchema,
  GuestUpdateAnswer: guestUpdateResponseSchema,
  WebhookGuest: webhookGuestSchema,
  GuestWebhook: guestWebhookSchema,
  InstallRequest: installRequestSchema,
  InstallAnswer: installResponseSchema,
  UninstallAnswer: uninstallResponseSchema,
};

/** Gives the contract's resources the names by which the OpenAPI document refers to them. */
export function nameComponents(): void {
  for (const [id, schema] of Object.entries(named)) {
    z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });
  }
}

/** A reference to a named component. */
export function componentReference(name: keyof typeof named): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}
