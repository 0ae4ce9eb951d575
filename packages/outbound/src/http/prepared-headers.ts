type Headers = Readonly<Record<string, string>>;

/** Merged and checked headers, for any number of calls. */
export interface PreparedHeaders {
  /** Name, value, name, value. */
  readonly wire: string[];
  /** The name of the first header whose value cannot be sent, which prevents the call. */
  readonly unsendable: string | undefined;
}

// No compression, so that the size limit counts what is read and a small response cannot expand to a huge one.
const defaultHeaders = { 'accept-encoding': 'identity', 'user-agent': 'waiver-service' };

/**
 * Merges headers into undici's form: name, value, name, value. Of names that differ at most in case, the last one wins,
 * in its own spelling.
 */
function wireHeaders(sources: readonly Headers[]): string[] {
  const wire: string[] = [];
  const places = new Map<string, number>();
  for (const source of sources) {
    for (const [name, value] of Object.entries(source)) {
      const key = name.toLowerCase();
      const place = places.get(key) ?? wire.length;
      places.set(key, place);
      wire[place] = name;
      wire[place + 1] = value;
    }
  }
  return wire;
}

// Other characters could start a second header, or be read differently by the two ends.
const sendable = /^[\t\x20-\x7e]*$/;

/** Finds the first header whose value contains a line break, another control character or a non-ASCII character. */
function findUnsendableHeader(wire: readonly string[]): string | undefined {
  const value = wire.findIndex((text, place) => place % 2 === 1 && !sendable.test(text));
  return wire[value - 1];
}

/** Prepares headers. Later sources replace headers of the same name. */
export function prepareHeaders(...sources: readonly Headers[]): PreparedHeaders {
  const wire = wireHeaders([defaultHeaders, ...sources]);
  return { wire, unsendable: findUnsendableHeader(wire) };
}

const namesAndValues = ({ wire }: PreparedHeaders) =>
  wire.flatMap((name, place) => (place % 2 === 0 ? [[name, wire[place + 1] ?? ''] as const] : []));

/** Adds headers, replacing those of the same name. */
export const extendHeaders = (prepared: PreparedHeaders, more: Headers): PreparedHeaders =>
  prepareHeaders(Object.fromEntries(namesAndValues(prepared)), more);

/** The values by lower-case name. */
export const headersByName = (prepared: PreparedHeaders): Record<string, string> =>
  Object.fromEntries(namesAndValues(prepared).map(([name, value]) => [name.toLowerCase(), value]));

/**
 * Prepares the headers that all requests to one target share. The result adds those of one request, which replace
 * defaults and `common`, and are replaced by `standing`. Their names differ in more than case.
 */
export function prepareCommonHeaders(common: Headers, standing: Headers): (own: Headers) => PreparedHeaders {
  const shared = prepareHeaders(common, standing);
  const names = new Set(Object.keys(headersByName(shared)));
  return (own) => {
    const added: string[] = [];
    for (const [name, value] of Object.entries(own)) {
      if (names.has(name.toLowerCase())) return prepareHeaders(common, own, standing);
      added.push(name, value);
    }
    return {
      wire: [...shared.wire, ...added],
      unsendable: shared.unsendable ?? findUnsendableHeader(added),
    };
  };
}
