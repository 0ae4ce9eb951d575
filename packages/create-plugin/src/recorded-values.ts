import { readFileSync } from 'node:fs';
import { guessMapping, type Mapping } from './guess-mapping.ts';
import { OptionsError } from './options.ts';

type JsonObject = Readonly<Record<string, unknown>>;

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
