import { alertsData } from '@waiver-service/alerts/data';
import rezdy from '@waiver-service/plugin-rezdy';
import { signingOnTestHosts, withoutGuestMailOrKiosks } from '@waiver-service/signing/testing';
import { startTestHost, type TestHost } from '@waiver-service/testing';
import { serverOnPort } from '@waiver-service/testing/mail';
import { invitationsModule } from '../../src/invitations-module.ts';
import { features } from './open-outbox.ts';

/** A host that writes to guests, through the mail server on a port. */
export const startInvitingHost = (smtpPort: number): Promise<TestHost> =>
  startTestHost({
    plugins: [rezdy],
    features: [alertsData, ...features],
    modules: [
      ...signingOnTestHosts({ mail: serverOnPort(smtpPort) }),
      invitationsModule,
      withoutGuestMailOrKiosks,
    ],
  });
