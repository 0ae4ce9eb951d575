import { accessFaults } from './access-faults.ts';
import { consentFaults } from './consent-faults.ts';
import { dispatcherLineFaults } from './dispatcher-line-faults.ts';
import { dispatcherRecordFaults } from './dispatcher-record-faults.ts';
import { hostCellsFaults } from './host-cells-faults.ts';
import { hostSendingFaults } from './host-sending-faults.ts';
import { hostTracingFaults } from './host-tracing-faults.ts';
import type { PlantedArea } from './planted-fault.ts';
import { senderFaults } from './sender-faults.ts';
import { storeBackupFaults } from './store-backup-faults.ts';
import { storeBookingFaults } from './store-booking-faults.ts';
import { storeClaimFaults } from './store-claim-faults.ts';
import { storeDestinationFaults } from './store-destination-faults.ts';
import { storeFinishFaults } from './store-finish-faults.ts';
import { storeGuestsFaults } from './store-guests-faults.ts';
import { storeListFaults } from './store-list-faults.ts';
import { storeMovesFaults } from './store-moves-faults.ts';
import { storePageFaults } from './store-page-faults.ts';
import { storeRecoveryFaults } from './store-recovery-faults.ts';
import { storeSetupFaults } from './store-setup-faults.ts';
import { storeWaiverFaults } from './store-waiver-faults.ts';
import { storeWebhookFaults } from './store-webhook-faults.ts';

/** Faults planted by hand: where tests need PostgreSQL, and in SQL, which Stryker cannot read. */
export const plantedAreas: readonly PlantedArea[] = [
  { area: 'access', project: 'host', faults: [...accessFaults, ...consentFaults] },
  { area: 'store keys and installations', project: 'store', faults: storeSetupFaults },
  { area: 'store guests and retention', project: 'store', faults: storeGuestsFaults },
  { area: 'store moves', project: 'store', faults: storeMovesFaults },
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
  { area: 'host cells', project: 'host', faults: hostCellsFaults },
  { area: 'host sending', project: 'host', faults: hostSendingFaults },
  { area: 'host tracing', project: 'host', faults: hostTracingFaults },
];
