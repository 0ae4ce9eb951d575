import type { SchemaMigration } from '@waiver-service/database';

/** Marks waivers that a guest has begun on the check-in page and not signed. The values are a `BegunState`. */
export const begunWaivers = {
  statements: ['alter table waiver add column begun text;'],
} as const satisfies SchemaMigration;
