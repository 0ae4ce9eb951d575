import { alertsData } from '@waiver-service/alerts/data';
import { dayBoardData } from '@waiver-service/day-board/data';
import { guestData } from '@waiver-service/guest-data/data';
import { invitationsData } from '@waiver-service/invitations/data';
import { kioskData } from '@waiver-service/kiosk/data';
import { operationsData } from '@waiver-service/operations/data';
import { peopleData } from '@waiver-service/people/data';
import { signingData } from '@waiver-service/signing/data';
import type { FeatureData } from '@waiver-service/store/features';

/** The features with tables, in the order in which these are created. */
export const features: readonly FeatureData[] = [
  peopleData,
  operationsData,
  alertsData,
  signingData,
  dayBoardData,
  kioskData,
  invitationsData,
  guestData,
];
