import { operationsModule, overviewModule } from '@waiver-service/operations';
import { operationsData } from '@waiver-service/operations/data';
import { peopleData } from '@waiver-service/people/data';
import { peopleOnTestHosts } from '@waiver-service/people/testing';
import { adminToken, startTestHost, type TestHost, type TestHostOptions } from '@waiver-service/testing';
import { ContainerModule } from 'inversify';
import { alertsModule } from '../../src/alerts-module.ts';
import { AlertsSettings } from '../../src/alerts-settings.ts';
import { alertsData } from '../../src/data/alerts-data.ts';

export interface AlertingHostOptions extends Pick<TestHostOptions, 'settings'> {
  readonly mail?: AlertsSettings['mail'];
}

/** A host that alerts operators, who see its figures. */
export const startAlertingHost = ({ mail, settings }: AlertingHostOptions = {}): Promise<TestHost> =>
  startTestHost({
    ...(settings && { settings }),
    features: [peopleData, operationsData, alertsData],
    modules: [
      new ContainerModule(({ bind }) => {
        bind(AlertsSettings).toConstantValue({
          mail,
          outboundTimeout: settings?.outboundTimeout ?? 20_000,
        });
      }),
      operationsModule,
      ...peopleOnTestHosts(adminToken),
      alertsModule,
      overviewModule,
    ],
  });
