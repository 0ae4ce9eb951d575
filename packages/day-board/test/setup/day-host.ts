import { alertsData } from '@waiver-service/alerts/data';
import { peopleData } from '@waiver-service/people/data';
import { peopleOnTestHosts } from '@waiver-service/people/testing';
import bookeo from '@waiver-service/plugin-bookeo';
import { signingData } from '@waiver-service/signing/data';
import { signingOnTestHosts, withoutGuestMailOrKiosks } from '@waiver-service/signing/testing';
import { adminToken, startTestHost, type TestHost } from '@waiver-service/testing';
import { dayBoardData } from '../../src/data/day-board-data.ts';
import { dayBoardModule } from '../../src/day-routes.ts';

/** A host with the day of its pools. */
export const startDayHost = (): Promise<TestHost> =>
  startTestHost({
    plugins: [bookeo],
    features: [peopleData, alertsData, signingData, dayBoardData],
    modules: [
      ...peopleOnTestHosts(adminToken),
      ...signingOnTestHosts(),
      dayBoardModule,
      withoutGuestMailOrKiosks,
    ],
  });
