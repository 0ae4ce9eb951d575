import { alertsData } from '@waiver-service/alerts/data';
import { peopleData } from '@waiver-service/people/data';
import { peopleOnTestHosts } from '@waiver-service/people/testing';
import octo from '@waiver-service/plugin-octo';
import { adminToken, startTestHost, type TestHost, type TestHostOptions } from '@waiver-service/testing';
import { signingData } from '../../src/data/signing-data.ts';
import { signingOnTestHosts, withoutGuestMailOrKiosks } from '../../src/testing/on-test-hosts.ts';

/** A host on which guests sign, at a booking system that takes signed documents, too. */
export const startSigningHost = ({
  timestampUrl,
  database,
}: Pick<TestHostOptions, 'database'> & { readonly timestampUrl?: string } = {}): Promise<TestHost> =>
  startTestHost({
    ...(database && { database }),
    plugins: [octo],
    features: [peopleData, alertsData, signingData],
    modules: [
      ...peopleOnTestHosts(adminToken),
      ...signingOnTestHosts({ mail: undefined, timestampUrl }),
      withoutGuestMailOrKiosks,
    ],
  });
