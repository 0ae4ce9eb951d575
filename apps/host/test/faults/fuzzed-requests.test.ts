import { adminToken, includesStatus, inForm, report, textAt } from '@waiver-service/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FurnishedProgram, startFurnishedProgram } from '../harness/program.ts';

const listAt = (schema: JsonObject, name: string): readonly unknown[] | undefined => {
  const list = schema[name];
  return Array.isArray(list) ? list : undefined;
};
const numberAt = (schema: JsonObject, name: string, otherwise: number): number => {
  const value = schema[name];
  return typeof value === 'number' ? value : otherwise;
};

/** Values that no schema asks for. */
const strange: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    2 ** 53,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '..',
    '%00',
    '\r\nX: y',
  ),
  fc.constantFrom(
    '__proto__',
    "'; drop table waiver; --",
    '9999-99-99T99:99:99Z',
    'http://[::1',
    'a'.repeat(5_000),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
);

const dateTime = fc
  .date({ min: new Date('1800-01-01'), max: new Date('2300-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** The values that a test knows to exist, by the name of the field: ids above all. */
type KnownValues = (field: string) => readonly string[];

/**
 * Values by a JSON Schema of an OpenAPI document: mostly valid ones, at times something else at any place of them.
 *
 * @param known - values to use instead, most of the time
 */
function valuesOf(document: JsonObject, schema: unknown, known: KnownValues): fc.Arbitrary<unknown> {
  const textOf = (part: JsonObject, field: string): fc.Arbitrary<unknown> => {
    if (part.format === 'date-time') return dateTime;
    if (part.format === 'email') return fc.emailAddress();
    if (part.format === 'uri') return fc.webUrl();
    const most = Math.min(numberAt(part, 'maxLength', 60), 300);
    const text = fc.string({ unit: 'grapheme', minLength: numberAt(part, 'minLength', 0), maxLength: most });
    const existing = known(field);
    return existing.length === 0
      ? text
      : fc.oneof({ arbitrary: fc.constantFrom(...existing), weight: 4 }, { arbitrary: text, weight: 1 });
  };

  const objectOf = (part: JsonObject, depth: number): fc.Arbitrary<unknown> => {
    const properties = isObject(part.properties) ? part.properties : {};
    const required = (listAt(part, 'required') ?? []).filter((name) => typeof name === 'string');
    const fields = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, arbitraryOf(property, name, depth + 1)]),
    );
    const object = fc.record(fields, {
      requiredKeys: required.filter((name) => Object.hasOwn(fields, name)),
    });
    if (!isObject(part.additionalProperties)) return object;
    const others = fc.dictionary(
      fc.string({ maxLength: 20 }),
      arbitraryOf(part.additionalProperties, '', depth + 1),
      { maxKeys: 5 },
    );
    return fc.tuple(others, object).map(([more, own]) => ({ ...more, ...own }));
  };

  const plainArbitraryOf = (part: JsonObject, field: string, depth: number): fc.Arbitrary<unknown> => {
    const reference = part.$ref;
    if (typeof reference === 'string') {
      const target = reference
        .slice(2)
        .split('/')
        .reduce<unknown>((inside, name) => (isObject(inside) ? inside[name] : undefined), document);
      return arbitraryOf(target, field, depth + 1);
    }
    if ('const' in part) return fc.constant(part.const);
    const choices = listAt(part, 'enum');
    if (choices !== undefined) return fc.constantFrom(...choices);
    const alternatives = listAt(part, 'anyOf') ?? listAt(part, 'oneOf');
    if (alternatives !== undefined)
      return fc.oneof(...alternatives.map((each) => arbitraryOf(each, field, depth + 1)));
    const parts = listAt(part, 'allOf');
    if (parts !== undefined) {
      return fc
        .tuple(...parts.map((each) => arbitraryOf(each, field, depth + 1)))
        .map((values) => Object.assign({}, ...values.filter(isObject)));
    }
    switch (part.type) {
      case 'string':
        return textOf(part, field);
      case 'integer':
        return fc.integer({
          min: numberAt(part, 'minimum', -1_000),
          max: Math.min(numberAt(part, 'maximum', 1_000_000), 2 ** 31 - 1),
        });
      case 'number':
        return fc.double({ noNaN: true, noDefaultInfinity: true });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array':
        return fc.array(arbitraryOf(part.items, field, depth + 1), {
          minLength: numberAt(part, 'minItems', 0),
          maxLength: Math.max(numberAt(part, 'minItems', 0), Math.min(numberAt(part, 'maxItems', 4), 4)),
        });
      case 'object':
        return objectOf(part, depth);
      default:
        return fc.jsonValue({ maxDepth: 2 });
    }
  };

  function arbitraryOf(part: unknown, field: string, depth: number): fc.Arbitrary<unknown> {
    if (!isObject(part) || depth > 12) return fc.jsonValue({ maxDepth: 1 });
    return fc.oneof(
      { arbitrary: plainArbitraryOf(part, field, depth), weight: 30 },
      { arbitrary: strange, weight: 1 },
    );
  }

  return arbitraryOf(schema, '', 0);
}

const requests = inForm({ short: 500, long: 100_000 });
// Each long run makes others; which ones stands in its report.
const seed = inForm({ short: 1, long: Date.now() });
const rounds = 5;
const atOnce = 8;
/** The longest that a request may take: `OUTBOUND_TIMEOUT` is 1 s, and `wait` is kept to 1 s. */
const timeoutMs = 15_000;

type JsonObject = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly documented: ReadonlySet<string>;
  readonly parameters: readonly JsonObject[];
  readonly body: unknown;
}

let furnished: FurnishedProgram;
let document: JsonObject;
let tokens: readonly (string | null)[];
/** Values of answers, by the field that they stood in; the last ones of each. */
const seen = new Map<string, string[]>();

/** A parameter, or the one of the document's components that it refers to. */
function resolved(parameter: unknown, components: unknown): JsonObject[] {
  if (!isObject(parameter)) return [];
  if (typeof parameter.$ref !== 'string') return [parameter];
  const shared = isObject(components) && isObject(components.parameters) ? components.parameters : {};
  return [shared[parameter.$ref.split('/').at(-1) ?? '']].filter(isObject);
}

const operationsOf = ({ paths, components }: JsonObject): Operation[] =>
  Object.entries(isObject(paths) ? paths : {}).flatMap(([path, methods]) =>
    Object.entries(isObject(methods) ? methods : {}).flatMap(([method, operation]): Operation[] => {
      // Partners serve these, not the host.
      if (!isObject(operation) || operation.servers !== undefined) return [];
      const { parameters, requestBody, responses } = operation;
      const content = isObject(requestBody) ? requestBody.content : undefined;
      const json = isObject(content) ? content['application/json'] : undefined;
      return [
        {
          method: method.toUpperCase(),
          path,
          documented: new Set(Object.keys(isObject(responses) ? responses : {})),
          parameters: Array.isArray(parameters)
            ? parameters.flatMap((parameter) => resolved(parameter, components))
            : [],
          body: isObject(json) ? json.schema : undefined,
        },
      ];
    }),
  );

function remember(value: unknown, field = ''): void {
  if (typeof value === 'string' && value.length < 200) {
    const values = seen.get(field) ?? [];
    if (!values.includes(value)) seen.set(field, [...values, value].slice(-20));
  } else if (Array.isArray(value)) for (const each of value.slice(0, 5)) remember(each, field);
  else if (isObject(value)) for (const [name, inner] of Object.entries(value)) remember(inner, name);
}

const ids: Readonly<Record<string, readonly string[]>> = {
  pool: ['p'],
  booking_system: ['standard', 'standard-query'],
  bookingSystem: ['standard'],
  booking_id: ['BK-1001', 'BK-1002'],
  bookingId: ['BK-1001', 'BK-1002'],
};

const known: KnownValues = (field) => {
  if (field === 'id' || field === 'cursor' || field === 'after') {
    const others = field === 'id' ? ['W-1', ...(seen.get('waiverId') ?? [])] : (seen.get('next') ?? []);
    return [...others, ...(seen.get(field) ?? [])];
  }
  if (field === 'key') return [furnished.installKey];
  return ids[field] ?? [];
};

const bounded = (name: unknown, value: unknown) => (name === 'wait' ? 1 : value);

interface Request {
  readonly operation: Operation;
  readonly address: string;
  readonly body: string | undefined;
  readonly token: string | null;
}

function requestsOf(operation: Operation): fc.Arbitrary<Request> {
  const values = operation.parameters.map((parameter) => {
    const { name, in: place, required, schema } = parameter;
    const named = { type: 'object', required: [name], properties: { [String(name)]: schema } };
    const value = valuesOf(document, named, known).map((object) =>
      isObject(object) ? object[String(name)] : object,
    );
    const isOptional = required !== true && place !== 'path';
    return isOptional ? fc.option(value, { nil: undefined, freq: 1 }) : value;
  });
  const body =
    operation.body === undefined
      ? fc.constant(undefined)
      : valuesOf(document, operation.body, known).map((value) => JSON.stringify(value));
  return fc.tuple(fc.tuple(...values), body, fc.constantFrom(...tokens)).map(([given, json, token]) => {
    let address = operation.path;
    const query = new URLSearchParams();
    operation.parameters.forEach(({ name, in: place }, index) => {
      const value = bounded(name, given[index]);
      if (value === undefined) return;
      const text = String(
        isObject(value) || Array.isArray(value) ? JSON.stringify(value) : value,
      ).toWellFormed();
      if (place === 'path') address = address.replace(`{${name}}`, () => encodeURIComponent(text) || '%20');
      if (place === 'query') query.append(String(name), text);
    });
    return { operation, address: query.size === 0 ? address : `${address}?${query}`, body: json, token };
  });
}

beforeAll(async () => {
  furnished = await startFurnishedProgram({ OUTBOUND_TIMEOUT: '1s' });
  const { program, accessToken } = furnished;
  document = await program.done('GET', '/openapi.json');
  const credential = async (role: string) =>
    textAt(await program.done('POST', '/v1/admin/credentials', { name: role, role }), 'token');
  const admin = Array.from({ length: 10 }, () => adminToken);
  const app = Array.from({ length: 3 }, () => accessToken);
  tokens = [...admin, ...app, await credential('viewer'), await credential('operator'), null, 'wrong'];
});
afterAll(async () => {
  await furnished.close();
});

/** A segment such as `.` is dropped before the request is sent, which goes to another path. */
const isRewritten = (address: string) => new URL(address, 'http://host').pathname !== address.split('?')[0];

test('requests made from the OpenAPI document are answered as it says, in time, and none is a fault', async () => {
  const operations = operationsOf(document);
  const { program } = furnished;
  const counts = new Map<number, number>();
  const undocumented = new Set<string>();
  let slowestMs = 0;

  async function send({ operation, address, body, token }: Request): Promise<void> {
    const shown = `${operation.method} ${address.slice(0, 400)} ${body?.slice(0, 400) ?? ''}`;
    const began = performance.now();
    const answer = await Promise.race([
      program.call(operation.method, address, body, { token }).catch((error: unknown) => {
        throw new Error(`${shown}: no answer`, { cause: error });
      }),
      new Promise<never>((_, reject) => {
        setTimeout(() => reject(new Error(`${shown}: no answer in ${timeoutMs} ms`)), timeoutMs).unref();
      }),
    ]);
    slowestMs = Math.max(slowestMs, performance.now() - began);
    counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
    expect(answer.status, `${shown} -> ${answer.text.slice(0, 400)}`).not.toBe(500);
    if (!includesStatus(operation.documented, answer.status) && !isRewritten(address))
      undocumented.add(`${answer.status} of ${operation.method} ${operation.path}`);
    if (answer.status < 300) remember(answer.body);
    else if (answer.status >= 400 && !answer.headers.get('content-type')?.startsWith('text/html')) {
      expect(answer.body, shown).toMatchObject({ success: false, code: expect.stringMatching(/^[a-z_]+$/) });
    }
  }

  const numRuns = Math.ceil(requests / operations.length / rounds);
  // In rounds, so that later ones know the ids of what the earlier ones made.
  for (let round = 0; round < rounds; round += 1) {
    const batches = operations.map((operation) =>
      fc.sample(requestsOf(operation), { numRuns, seed: seed + round }),
    );
    // In turn, since a deletion ends what others would have reached.
    const left = Array.from({ length: numRuns }, (_, index) =>
      batches.flatMap((each) => each[index] ?? []),
    ).flat();
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let next = left.pop(); next !== undefined; next = left.pop()) await send(next);
      }),
    );
  }
  expect((await program.call('GET', '/readyz')).status).toBe(200);
  report({
    seed,
    operations: operations.length,
    requests: [...counts.values()].reduce((sum, count) => sum + count, 0),
    answers: [...counts]
      .toSorted()
      .map(([status, count]) => `${status} ${count}`)
      .join(' '),
    'slowest ms': Math.round(slowestMs),
  });
  expect([...undocumented].toSorted()).toEqual([]);
}, 1_800_000);
