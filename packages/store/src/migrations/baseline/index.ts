import { encryptionCheck, type SchemaMigration } from '@waiver-service/database';
import { bookings, walkIns } from './bookings.ts';
import { destinations } from './destinations.ts';
import { installations } from './installations.ts';
import { keys } from './keys.ts';
import { operations, recoveries } from './operations.ts';
import { pools } from './pools.ts';
import { searchFunctions, waiverSearch } from './waiver-search.ts';
import { waivers } from './waivers.ts';

/** The schema that the first release begins with: the data model, by subject; each refers only to earlier ones. */
export const baseline = {
  statements: [
    pools,
    keys,
    installations,
    bookings,
    waivers,
    searchFunctions,
    waiverSearch,
    walkIns,
    destinations,
    recoveries,
    encryptionCheck,
    operations,
  ],
} as const satisfies SchemaMigration;
