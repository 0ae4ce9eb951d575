import { readFileSync } from 'node:fs';
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
interface Mapping {
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
function guessMapping(body: JsonObject, bookingId: string | undefined): Mapping {
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

/** A response from which a plugin is begun. */
interface Recorded {
  readonly body: JsonObject;
  readonly bookingId: string | undefined;
  /** The request's path, with `{bookingId}`. */
  readonly path: string;
}

/** Reads a recording of `waiver-service check --record`, or a plain body, such as one of the vendor's documentation. */
function readRecorded(file: string): Recorded {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new OptionsError(`--from: ${error instanceof Error ? error.message : String(error)}`);
  }
  const body: JsonObject = Object(content);
  const { bookingId, exchanges } = body;
  if (typeof bookingId !== 'string' || !Array.isArray(exchanges)) {
    return { body, bookingId: undefined, path: '/bookings/{bookingId}' };
  }
  const [first] = exchanges;
  const segment = encodeURIComponent(bookingId);
  const segments = String(first?.request?.path).split('/');
  const path = segments.map((one) => (one === segment ? '{bookingId}' : one)).join('/');
  return { body: Object(first?.answer?.body), bookingId, path: `/${path}` };
}

const isIdentifier = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name);
const literal = (text: string) => (/^[^'"\\\p{Cc}]*$/u.test(text) ? `'${text}'` : JSON.stringify(text));
const member = (holder: string, name: string) =>
  isIdentifier(name) ? `${holder}.${name}` : `${holder}[${literal(name)}]`;

/** The code of the object at a path. */
const objectAt = (path: readonly string[]) =>
  path.reduce((code, name) => `objectOf(${member(code, name)})`, 'body');
/** The code of the value at a path. */
function valueAt(path: readonly string[]): string {
  const last = path.at(-1);
  return last === undefined ? 'body' : member(objectAt(path.slice(0, -1)), last);
}

const field = (holder: string, name: string | undefined) =>
  name === undefined ? 'undefined' : member(holder, name);
const dotted = (path: readonly string[]) => literal(path.join('.'));

const textOf = (value: unknown) => {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' ? undefined : text;
};
const timeOf = (value: unknown) =>
  value === undefined ? undefined : new Date(String(value)).toISOString().replace('.000Z', 'Z');
const own = (object: JsonObject | undefined, name: string | undefined) =>
  name === undefined ? undefined : object?.[name];
const valueIn = (body: JsonObject, { path, field: name }: Mapping['id']) =>
  path.reduce((object: JsonObject, one) => Object(object[one]), body)[name];

/** The booking that the generated code reads, for a person to review. */
function expectedOf(body: JsonObject, { id, status, contact, guests, sessions }: Mapping) {
  const [person] = contact.objects;
  const read = guests.objects.map((guest) => ({
    id: textOf(own(guest, guests.id)),
    name: textOf(own(guest, guests.name)),
  }));
  const booking = {
    id: textOf(valueIn(body, id)),
    status: textOf(valueIn(body, status)),
    statusGroup: 'active',
    contact: {
      name: textOf(own(person, contact.name)),
      email: textOf(own(person, contact.email)),
      phoneNumber: textOf(own(person, contact.phone)),
    },
    pax: read.length,
    guests: read,
    bookedSessions: sessions.objects.map((session) => ({
      startsAt: timeOf(own(session, sessions.start)),
      endsAt: timeOf(own(session, sessions.end)),
      activityId: textOf(own(session, sessions.id)),
      activityName: textOf(own(session, sessions.name)),
    })),
  };
  const warnings = [
    ...(read.some(({ name }) => name === undefined) ? ['guest_without_name'] : []),
    ...booking.bookedSessions
      .flatMap(({ endsAt, activityId, activityName }) => [endsAt, activityId, activityName])
      .flatMap((value) => (value === undefined ? ['session_incomplete'] : [])),
  ];
  return { booking, warnings };
}

function sessionsCode({ sessions }: Mapping): string {
  const session = (holder: string, path: string) => `readSession(reading, ${holder}, ${path})`;
  if (!sessions.isList) return `[${session(objectAt(sessions.path), dotted(sessions.path))}]`;
  const list = `requiredObjects(reading, ${valueAt(sessions.path)}, ${dotted(sessions.path)})`;
  return `${list}.map(({ value, path }) => ${session('value', 'path')})`;
}

/** What the templates in `recorded` have of a response. */
export interface RecordedValues {
  readonly fixture: string;
  readonly values: Readonly<Record<string, string>>;
  readonly sections: readonly string[];
}

/** Guesses a plugin's code from a response in a file. @throws OptionsError */
export function recordedValues(file: string): RecordedValues {
  const { body, bookingId, path } = readRecorded(file);
  const mapping = guessMapping(body, bookingId);
  const { id, status, contact, guests, sessions } = mapping;
  const { booking, warnings } = expectedOf(body, mapping);
  const person = objectAt(contact.path);
  const segments = path
    .slice(1)
    .replace(/[`\\$]/g, '\\$&')
    .split('{bookingId}');
  const bookingSegmentCode = "bookingSegment(bookingId, 'read')";
  const values = {
    idCode: `requiredText(reading, ${valueAt([...id.path, id.field])}, ${dotted([...id.path, id.field])})`,
    statusCode: `requiredText(reading, ${valueAt([...status.path, status.field])}, ${dotted([...status.path, status.field])})`,
    statusKey: isIdentifier(booking.status ?? '') ? (booking.status ?? '') : literal(booking.status ?? ''),
    contactCode: `{ name: ${field(person, contact.name)}, email: ${field(person, contact.email)}, phoneNumber: ${field(person, contact.phone)} }`,
    contactPath: dotted(contact.path),
    guestsCode: `requiredObjects(reading, ${valueAt(guests.path)}, ${dotted(guests.path)})`,
    guestIdCode: guests.id === undefined ? 'undefined' : `textOf(${member('value', guests.id)})`,
    guestNameCode: guests.name === undefined ? 'undefined' : `textOf(${member('value', guests.name)})`,
    sessionsCode: sessionsCode(mapping),
    startField: field('value', sessions.start),
    endField: field('value', sessions.end),
    activityIdField: field('value', sessions.id),
    activityNameField: field('value', sessions.name),
    requestCode: `\`${segments.join(`\${${bookingSegmentCode}}`)}\``,
    requestPath: path,
    requestPathText: literal(path),
    bookingIdText: literal(booking.id ?? ''),
    expectedText: JSON.stringify(booking, null, 2),
    warningsText: JSON.stringify(warnings),
  };
  const code = Object.values(values).join(' ');
  return {
    fixture: `${JSON.stringify(body, null, 2)}\n`,
    values,
    // What is imported only where it is used.
    sections: ['objectOf', 'textOf'].filter((name) => code.includes(`${name}(`)),
  };
}
