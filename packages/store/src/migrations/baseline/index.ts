import { sql } from 'kysely';
import type { SchemaMigration } from '../schema-migration.ts';
import { alerts } from './alerts.ts';
import { audit } from './audit.ts';
import { bookings } from './bookings.ts';
import { days } from './days.ts';
import { destinations } from './destinations.ts';
import { erasures } from './erasures.ts';
import { forms } from './forms.ts';
import { installations } from './installations.ts';
import { invitations } from './invitations.ts';
import { kiosks } from './kiosks.ts';
import { lateSignings } from './late-signings.ts';
import { operations } from './operations.ts';
import { outbox } from './outbox.ts';
import { peopleAndKeys } from './people-and-keys.ts';
import { pools } from './pools.ts';
import { returning } from './returning.ts';
import { signings } from './signings.ts';
import { waiverSearch } from './waiver-search.ts';
import { waivers } from './waivers.ts';

/** The data model, by subject; each refers only to earlier ones. */
const subjects = [
  pools,
  peopleAndKeys,
  audit,
  installations,
  bookings,
  waivers,
  waiverSearch,
  forms,
  signings,
  returning,
  days,
  lateSignings,
  kiosks,
  erasures,
  destinations,
  outbox,
  alerts,
  invitations,
  operations,
];

/** The schema that the first release begins with. */
export const baseline: SchemaMigration = {
  async up(database) {
    // Functions that name tables fix this as their search path, so that they work in every session: a replication's apply
    // worker and a dump's restore have an empty one.
    await sql`select set_config('search_path', quote_ident(current_schema()), true)`.execute(database);
    for (const statements of subjects) await sql.raw(statements).execute(database);
  },
};
