import { waiverFieldNames, webhookGuestFieldNames } from '@waiver-service/core';
import type { DestinationKind } from '../database/tables-outbox.ts';
import type { JsonValue } from '../waivers/waiver-record.ts';

type Fields = Readonly<Record<string, JsonValue>>;

const ownFields: Record<DestinationKind, ReadonlySet<string>> = {
  'guest-update': new Set(waiverFieldNames),
  'guest-webhook': new Set(webhookGuestFieldNames),
};

function narrow(kind: DestinationKind, body: string, mayLeave: (name: string) => boolean): string {
  // The store wrote it: one object, `waiver` or `guest`.
  const parsed: Readonly<Record<string, Fields>> = JSON.parse(body);
  const narrowed = Object.entries(parsed).map(([name, fields]) => [
    name,
    Object.fromEntries(
      Object.entries(fields).filter(([field]) => ownFields[kind].has(field) || mayLeave(field)),
    ),
  ]);
  return JSON.stringify(Object.fromEntries(narrowed));
}

/** A body with the contract's fields and, of its answers, only those that are listed. */
export const bodyWithOnly = (kind: DestinationKind, body: string, listed: readonly string[]): string =>
  narrow(kind, body, (name) => listed.includes(name));

const emptyFeedback = (name: string, value: unknown) => (name === 'feedback' ? '' : value);

/** A body without some answers. A webhook's `feedback` is a field of the contract: it is empty then. */
export function bodyWithout(kind: DestinationKind, body: string, removed: ReadonlySet<string>): string {
  const narrowed = narrow(kind, body, (name) => !removed.has(name));
  if (kind === 'guest-update' || !removed.has('feedback')) return narrowed;
  const { guest }: { guest: Fields } = JSON.parse(narrowed);
  return JSON.stringify({
    guest: Object.fromEntries(
      Object.entries(guest).map(([name, value]) => [name, emptyFeedback(name, value)]),
    ),
  });
}
