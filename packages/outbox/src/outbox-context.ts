import type { Database } from './data/tables.ts';
import type { DestinationOwners } from './destinations/destination-owners.ts';
import type { Notifications } from './notifications.ts';
import type { ReportOccurrences } from './occurrences.ts';

/** Dependencies shared by the parts of the outbox. */
export interface OutboxContext {
  readonly database: Database;
  readonly notifications: Notifications;
  readonly report: ReportOccurrences;
  readonly owners: DestinationOwners;
}
