import { configuration } from './0001-configuration.ts';
import { waiversAndOutbox } from './0002-waivers-and-outbox.ts';
import { whatMayLeave } from './0003-what-may-leave.ts';
import { fairShares } from './0004-fair-shares.ts';
import { consentAndKeys } from './0005-consent-and-keys.ts';
import { outboxByRow } from './0006-outbox-by-row.ts';
import { destinationCollation } from './0007-destination-collation.ts';
import { requestBudgets } from './0008-request-budgets.ts';
import { bookingSystemSessions } from './0009-booking-system-sessions.ts';
import { inboundCalls } from './0010-inbound-calls.ts';
import { vendorWebhooks } from './0010-vendor-webhooks.ts';
import { bookingAliases } from './0011-booking-aliases.ts';
import { pollingAndAddresses } from './0012-polling-and-addresses.ts';
import { people } from './0013-people.ts';
import { auditTargets } from './0014-audit-targets.ts';
import { sessionsOfPeople } from './0015-sessions-of-people.ts';
import { signInByIssuer } from './0016-sign-in-by-issuer.ts';
import { alerts } from './0017-alerts.ts';
import { errorsAndActivity } from './0018-errors-and-activity.ts';
import { guestsRights } from './0019-guests-rights.ts';
import { waiverSearch } from './0020-waiver-search.ts';
import { waiverVersions } from './0020-waiver-versions.ts';
import { installationChecks } from './0021-installation-checks.ts';
import { backups } from './0022-backups.ts';
import { largeIndexes } from './0023-large-indexes.ts';
import { changedBookings } from './0024-changed-bookings.ts';
import { movedPools } from './0026-moved-pools.ts';
import { poolMoves } from './0027-pool-moves.ts';
import { growth } from './0028-growth.ts';
import { cellName } from './0034-cell-name.ts';
import type { SchemaMigration } from './schema-migration.ts';

/** Every migration, by the name it is recorded under; they run in the order of their names, forward only. */
export const migrations: Readonly<Record<string, SchemaMigration>> = {
  '0001-configuration': configuration,
  '0002-waivers-and-outbox': waiversAndOutbox,
  '0003-what-may-leave': whatMayLeave,
  '0004-fair-shares': fairShares,
  '0005-consent-and-keys': consentAndKeys,
  '0006-outbox-by-row': outboxByRow,
  '0007-destination-collation': destinationCollation,
  '0008-request-budgets': requestBudgets,
  '0009-booking-system-sessions': bookingSystemSessions,
  '0010-inbound-calls': inboundCalls,
  '0010-vendor-webhooks': vendorWebhooks,
  '0011-booking-aliases': bookingAliases,
  '0012-polling-and-addresses': pollingAndAddresses,
  '0013-people': people,
  '0014-audit-targets': auditTargets,
  '0015-sessions-of-people': sessionsOfPeople,
  '0016-sign-in-by-issuer': signInByIssuer,
  '0017-alerts': alerts,
  '0018-errors-and-activity': errorsAndActivity,
  '0019-guests-rights': guestsRights,
  '0020-waiver-search': waiverSearch,
  '0020-waiver-versions': waiverVersions,
  '0021-installation-checks': installationChecks,
  '0022-backups': backups,
  ...largeIndexes,
  '0024-changed-bookings': changedBookings,
  '0026-moved-pools': movedPools,
  '0027-pool-moves': poolMoves,
  ...growth,
  '0034-cell-name': cellName,
};
