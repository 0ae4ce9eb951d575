import { accessFaults } from './access-faults.ts';
import { bokunFaults } from './bokun-faults.ts';
import { bookeoFaults } from './bookeo-faults.ts';
import { checkfrontFaults } from './checkfront-faults.ts';
import { checkfrontGuestFaults } from './checkfront-guest-faults.ts';
import { consentFaults } from './consent-faults.ts';
import { contractBookingFaults, contractRequestFaults } from './contract-faults.ts';
import { dispatcherLineFaults } from './dispatcher-line-faults.ts';
import { dispatcherRecordFaults } from './dispatcher-record-faults.ts';
import { fareHarborFaults } from './fareharbor-faults.ts';
import { hostSendingFaults } from './host-sending-faults.ts';
import { hostTracingFaults } from './host-tracing-faults.ts';
import { octoFaults } from './octo-faults.ts';
import { octoKitFaults } from './octo-kit-faults.ts';
import { peekFaults } from './peek-faults.ts';
import type { PlantedArea } from './planted-fault.ts';
import { rezdyFaults } from './rezdy-faults.ts';
import { rollerFaults } from './roller-faults.ts';
import { senderFaults } from './sender-faults.ts';
import { standardFaults } from './standard-faults.ts';
import { standardQueryFaults } from './standard-query-faults.ts';
import { storeBackupFaults } from './store-backup-faults.ts';
import { storeBookingFaults } from './store-booking-faults.ts';
import { storeClaimFaults } from './store-claim-faults.ts';
import { storeDestinationFaults } from './store-destination-faults.ts';
import { storeFinishFaults } from './store-finish-faults.ts';
import { storeListFaults } from './store-list-faults.ts';
import { storePageFaults } from './store-page-faults.ts';
import { storeRecoveryFaults } from './store-recovery-faults.ts';
import { storeSetupFaults } from './store-setup-faults.ts';
import { storeWaiverFaults } from './store-waiver-faults.ts';
import { storeWebhookFaults } from './store-webhook-faults.ts';
import { xolaFaults } from './xola-faults.ts';
import { zauiFaults } from './zaui-faults.ts';

/** Every area with planted faults. */
export const plantedAreas: readonly PlantedArea[] = [
  { area: 'access', project: 'host', faults: [...accessFaults, ...consentFaults] },
  { area: 'store keys and installations', project: 'store', faults: storeSetupFaults },
  { area: 'store backups', project: 'store', faults: storeBackupFaults },
  {
    area: 'store webhooks and bookings',
    project: 'store',
    faults: [...storeWebhookFaults, ...storeBookingFaults],
  },
  { area: 'store waivers and pages', project: 'store', faults: [...storeWaiverFaults, ...storePageFaults] },
  { area: 'store outbox', project: 'store', faults: [...storeClaimFaults, ...storeFinishFaults] },
  {
    area: 'store deliveries and destinations',
    project: 'store',
    faults: [...storeListFaults, ...storeRecoveryFaults, ...storeDestinationFaults],
  },
  {
    area: 'dispatcher',
    project: 'delivery',
    faults: [...dispatcherLineFaults, ...dispatcherRecordFaults, ...senderFaults],
  },
  { area: 'host sending', project: 'host', faults: hostSendingFaults },
  { area: 'host tracing', project: 'host', faults: hostTracingFaults },
  {
    area: 'standard mapping',
    project: 'standard',
    faults: [...standardFaults, ...contractRequestFaults, ...contractBookingFaults],
  },
  {
    area: 'standard-query mapping',
    project: 'standard-query',
    faults: [...standardQueryFaults, ...contractRequestFaults],
  },
  { area: 'bookeo mapping', project: 'bookeo', faults: bookeoFaults },
  { area: 'checkfront mapping', project: 'checkfront', faults: checkfrontFaults },
  { area: 'fareharbor mapping', project: 'fareharbor', faults: fareHarborFaults },
  { area: 'octo mapping', project: 'octo', faults: octoFaults },
  { area: 'octo-kit mapping', project: 'octo-kit', faults: octoKitFaults },
  { area: 'peek mapping', project: 'peek', faults: peekFaults },
  { area: 'rezdy mapping', project: 'rezdy', faults: rezdyFaults },
  { area: 'xola mapping', project: 'xola', faults: xolaFaults },
  { area: 'zaui mapping', project: 'zaui', faults: zauiFaults },
  { area: 'bokun mapping', project: 'bokun', faults: bokunFaults },
  { area: 'roller mapping', project: 'roller', faults: rollerFaults },
  { area: 'checkfront guests', project: 'checkfront', faults: checkfrontGuestFaults },
];
