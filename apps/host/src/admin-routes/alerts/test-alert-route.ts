import { randomUUID } from 'node:crypto';
import { testAlert } from '@waiver-service/api';
import { inject, injectable } from 'inversify';
import { createAlertSender } from '../../alerts/alert-sender.ts';
import { Mailer } from '../../alerts/mailer.ts';
import { BaseUrl, Outbound, Store } from '../../given.ts';
import type { HostApp, RouteModule } from '../../http/host-app.ts';
import { sendTest, testMessage } from '../send-test.ts';
import { alertNotFound } from './alert-answer.ts';
import { requireMailer } from './alert-body.ts';

const testBody = (name: string, baseUrl: string) => ({
  type: 'test',
  at: new Date().toISOString(),
  message: `This is a test of the alert “${name}”: nothing is wrong.`,
  leftOut: 0,
  link: `${baseUrl}/console/alerts`,
});

/** `POST …/alerts/{id}/test`: sends a message of type `test` at once and returns the receiver's answer. */
@injectable()
export class TestAlertRoute implements RouteModule {
  constructor(
    @inject(BaseUrl) private readonly baseUrl: BaseUrl,
    @inject(Store) private readonly store: Store,
    @inject(Outbound) private readonly outbound: Outbound,
    @inject(Mailer) private readonly mailer: Mailer | undefined,
  ) {}

  addRoutes(app: HostApp): void {
    const { store, outbound, mailer, baseUrl } = this;

    app.route({
      ...testAlert,
      handler: async ({ params: { id }, signal }) => {
        const alert = await store.alerts.get(id);
        if (!alert) throw alertNotFound();
        if (alert.target.kind === 'email') requireMailer(mailer);
        const send = createAlertSender({ outbound, mailer, alertOf: async () => alert });
        const { destinationId: destination, name } = alert;
        const body = testBody(name, baseUrl());
        const message = testMessage({ id: randomUUID(), kind: 'alert', pool: '', destination, body });
        return sendTest(send, message, signal);
      },
    });
  }
}
