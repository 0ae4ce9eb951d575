import { findUnsendableHeader } from './header-values.ts';
import { wireHeaders } from './wire-headers.ts';

type Headers = Readonly<Record<string, string>>;

/** Headers as they are written, put together and checked once for all the calls that they go with. */
export interface PreparedHeaders {
  /** Name, value, name, value. */
  readonly wire: string[];
  /** The name of the first header whose value HTTP cannot carry: no call is made with it. */
  readonly unsendable: string | undefined;
}

// Nothing is compressed, so that the size limit counts what is read and a small answer cannot unfold to a huge one.
const standingHeaders = { 'accept-encoding': 'identity', 'user-agent': 'waiver-service' };

/** Prepares headers. Of one name in several sources, the last counts. */
export function prepareHeaders(...sources: readonly Headers[]): PreparedHeaders {
  const wire = wireHeaders([standingHeaders, ...sources]);
  return { wire, unsendable: findUnsendableHeader(wire) };
}

const namesAndValues = ({ wire }: PreparedHeaders) =>
  wire.flatMap((name, place) => (place % 2 === 0 ? [[name, wire[place + 1] ?? ''] as const] : []));

/** Adds headers; they replace those of the same name. */
export const extendHeaders = (prepared: PreparedHeaders, more: Headers): PreparedHeaders =>
  prepareHeaders(Object.fromEntries(namesAndValues(prepared)), more);

/** The values by lower-case name. */
export const headersByName = (prepared: PreparedHeaders): Record<string, string> =>
  Object.fromEntries(namesAndValues(prepared).map(([name, value]) => [name.toLowerCase(), value]));
