import { OptionsError } from './options.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object in a body, or all objects of a list in it. */
interface Holder {
  readonly path: readonly string[];
  readonly isList: boolean;
  readonly objects: readonly JsonObject[];
}

/** The names of a holder's fields, of those that were looked for. */
type Fields<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/** Where a body seems to have what a booking needs. */
export interface Mapping {
  readonly id: { readonly path: readonly string[]; readonly field: string };
  readonly status: { readonly path: readonly string[]; readonly field: string };
  readonly contact: Holder & Fields<'name' | 'email' | 'phone'>;
  readonly guests: Holder & Fields<'id' | 'name'>;
  readonly sessions: Holder & Fields<'start' | 'end' | 'id' | 'name'>;
}

const names = {
  id: /^(id|ref|reference|code|uuid|number|booking_?(id|number|code|reference)|order_?(id|number|code))$/i,
  status: /status|^state$/i,
  email: /e-?mail/i,
  name: /^(?!.*(product|company|last|file)).*name(_cached)?$/i,
  phone: /phone|mobile/i,
  guests:
    /guest|participant|people|passenger|attendee|position|ticket|travell?er|visitor|customers|unit_?items/i,
  guestId: /^(id|uuid|pk|pid)$|_id$|Id$/,
  start: /^(?!.*(created|updated|modified)).*(start|from|begin)/i,
  end: /(^|_)(end|to|until)|(end|until)(s|At|Time|_at|_time)?$/i,
  activityId: /^(id|code|sku|product_?(id|code)|activity_?id)$/i,
  activityName: /^(name|title|product_?name|activity_?name|label)$/i,
};

const maxDepth = 3;

/** The objects and lists of a body, outer ones first. */
function holdersOf(value: JsonObject, path: readonly string[] = []): Holder[] {
  const inside = path.length >= maxDepth ? [] : Object.entries(value);
  const deeper = inside.map(([field, inner]): Holder[] => {
    const at = [...path, field];
    if (isObject(inner)) return holdersOf(inner, at);
    const objects = Array.isArray(inner) ? inner.filter(isObject) : [];
    return objects.length === 0 ? [] : [{ path: at, isList: true, objects }];
  });
  const all = [{ path, isList: false, objects: [value] }, ...deeper.flat()];
  return all.toSorted((one, other) => one.path.length - other.path.length);
}

const isText = (value: unknown) => typeof value === 'string' || typeof value === 'number';
const isDateTime = (value: unknown) =>
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/.test(String(value));

/** The first field of a holder's objects whose name and value fit. */
const fieldIn = ({ objects }: Holder, name: RegExp, fits: (value: unknown) => boolean = isText) =>
  Object.entries(Object.assign({}, ...objects.toReversed())).find(
    ([field, value]) => name.test(field) && fits(value),
  )?.[0];

function required<T>(found: T | undefined, sentence: string): T {
  if (found !== undefined) return found;
  throw new OptionsError(`--from: ${sentence}. Create it with --native, and map the fields by hand.`);
}

function placeOf(holders: readonly Holder[], name: RegExp, fits?: (value: unknown) => boolean) {
  const holder = holders.find((one) => !one.isList && fieldIn(one, name, fits) !== undefined);
  const field = holder && fieldIn(holder, name, fits);
  return holder && field !== undefined ? { path: holder.path, field } : undefined;
}

/**
 * Guesses by names and values where a body has a booking's parts: only a beginning, for a person to correct.
 * @param bookingId - undefined if the id is not known
 * @throws OptionsError if it finds no id, no status, no list of people or no start
 */
export function guessMapping(body: JsonObject, bookingId: string | undefined): Mapping {
  const holders = holdersOf(body);
  const lists = holders.filter(({ isList }) => isList);
  const isId = (value: unknown) => isText(value) && (bookingId === undefined || String(value) === bookingId);
  const anyName = bookingId === undefined ? names.id : /./;
  const people = lists.filter(({ path }) => names.guests.test(path.at(-1) ?? ''));
  const contact =
    holders.find((one) => !one.isList && fieldIn(one, names.email) !== undefined) ?? required(holders[0], '');
  const guests = required(
    people.find((one) => fieldIn(one, names.name) !== undefined) ?? people[0],
    'no list of people was found in the body',
  );
  const sessions = required(
    holders.find((one) => fieldIn(one, names.start, isDateTime) !== undefined),
    'no start with a time zone was found in the body',
  );
  return {
    id: required(placeOf(holders, anyName, isId), 'no id of a booking was found in the body'),
    status: required(placeOf(holders, names.status), 'no status was found in the body'),
    contact: {
      ...contact,
      name: fieldIn(contact, names.name),
      email: fieldIn(contact, names.email),
      phone: fieldIn(contact, names.phone),
    },
    guests: { ...guests, id: fieldIn(guests, names.guestId), name: fieldIn(guests, names.name) },
    sessions: {
      ...sessions,
      start: fieldIn(sessions, names.start, isDateTime),
      end: fieldIn(sessions, names.end, isDateTime),
      id: fieldIn(sessions, names.activityId),
      name: fieldIn(sessions, names.activityName),
    },
  };
}
