import type { FormContent } from '@waiver-service/forms';
import { type CheckInHost as PreparedHost, prepareCheckIn } from '@waiver-service/testing';
import { startTestHost, type TestHost } from './test-host.ts';

export type CheckInHost = PreparedHost<TestHost>;

/** Starts a host where guests can sign. */
export const startCheckInHost = (
  variables: Readonly<Record<string, string>> = {},
  content?: FormContent,
): Promise<CheckInHost> => prepareCheckIn(startTestHost(variables), content);
