import { alertsData } from '@waiver-service/alerts/data';
import { dayBoardModule } from '@waiver-service/day-board';
import { dayBoardData } from '@waiver-service/day-board/data';
import { peopleData } from '@waiver-service/people/data';
import { peopleOnTestHosts } from '@waiver-service/people/testing';
import bookeo from '@waiver-service/plugin-bookeo';
import { signingData } from '@waiver-service/signing/data';
import { signingOnTestHosts, withoutGuestMailOrKiosks } from '@waiver-service/signing/testing';
import {
  adminToken,
  startTestHost,
  type TestHost,
  type TestHostOptions,
  textAt,
} from '@waiver-service/testing';
import { kioskData } from '../../src/data/tables.ts';
import { kioskModule } from '../../src/kiosk-module.ts';

/** A host with tablets, and the day that they show. */
export const startKioskHost = (options: Pick<TestHostOptions, 'settings'> = {}): Promise<TestHost> =>
  startTestHost({
    ...options,
    plugins: [bookeo],
    features: [peopleData, alertsData, signingData, dayBoardData, kioskData],
    modules: [
      ...peopleOnTestHosts(adminToken),
      ...signingOnTestHosts(),
      dayBoardModule,
      kioskModule,
      withoutGuestMailOrKiosks,
    ],
  });

/** Makes a kiosk of a pool, and a tablet that was paired with it. */
export async function makeKiosk(
  { admin, as }: Pick<TestHost, 'admin' | 'as'>,
  { pool = 'rafting', name = 'Desk' } = {},
) {
  const { body } = await admin('POST', `/v1/admin/pools/${pool}/kiosks`, { name, pin: '2468' });
  const paired = await as(null)('POST', '/check-in/api/kiosk/pair', { code: body.code });
  const token = textAt(paired.body, 'token');
  return { id: textAt(body, 'id'), token, kiosk: as(token) };
}
