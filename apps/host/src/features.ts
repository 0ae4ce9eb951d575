import { dayBoardData } from '@waiver-service/day-board/data';
import { kioskData } from '@waiver-service/kiosk/data';
import { operationsData } from '@waiver-service/operations/data';
import { peopleData } from '@waiver-service/people/data';
import type { FeatureData } from '@waiver-service/store/features';

/** What the features keep in the database, in the order in which their tables are made. */
export const features: readonly FeatureData[] = [peopleData, operationsData, dayBoardData, kioskData];
