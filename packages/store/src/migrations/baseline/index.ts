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
import { searchFunctions, waiverSearch } from './waiver-search.ts';
import { waivers } from './waivers.ts';

/** The schema that the first release begins with: the data model, by subject; each refers only to earlier ones. */
export const baseline = {
  statements: [
    pools,
    peopleAndKeys,
    audit,
    installations,
    bookings,
    waivers,
    searchFunctions,
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
  ],
} as const satisfies SchemaMigration;
