import { alertsData } from '@waiver-service/alerts/data';
import { dayBoardModule } from '@waiver-service/day-board';
import { dayBoardData } from '@waiver-service/day-board/data';
import { peopleData } from '@waiver-service/people/data';
import { peopleOnTestHosts } from '@waiver-service/people/testing';
import { signingData } from '@waiver-service/signing/data';
import { signingOnTestHosts, withoutGuestMailOrKiosks } from '@waiver-service/signing/testing';
import { adminToken, startTestHost, type TestHost, type TestHostOptions } from '@waiver-service/testing';
import { guestData } from '../../src/data/guest-data.ts';
import { guestDataModule } from '../../src/guest-data-module.ts';

/** A host with the rights of guests, also to what the day board keeps of them. */
export const startGuestDataHost = (options: Pick<TestHostOptions, 'settings'> = {}): Promise<TestHost> =>
  startTestHost({
    ...options,
    features: [peopleData, alertsData, signingData, dayBoardData, guestData],
    modules: [
      ...peopleOnTestHosts(adminToken),
      ...signingOnTestHosts(),
      dayBoardModule,
      guestDataModule,
      withoutGuestMailOrKiosks,
    ],
  });
