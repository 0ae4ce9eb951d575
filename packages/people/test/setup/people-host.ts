import { adminToken, startTestHost, type TestHost, type TestHostOptions } from '@waiver-service/testing';
import { peopleData } from '../../src/data/tables.ts';
import type { SignInIssuer } from '../../src/sign-in/sign-in-settings.ts';
import { peopleOnTestHosts } from '../../src/testing/on-test-hosts.ts';

export interface PeopleHostOptions extends Pick<TestHostOptions, 'settings' | 'database'> {
  readonly issuer?: SignInIssuer;
  /** That of the tests by default. */
  readonly admin?: string;
}

/** A host of the contract and of people. */
export const startPeopleHost = ({
  issuer,
  admin = adminToken,
  ...options
}: PeopleHostOptions = {}): Promise<TestHost> =>
  startTestHost({ ...options, features: [peopleData], modules: peopleOnTestHosts(admin, issuer) });
