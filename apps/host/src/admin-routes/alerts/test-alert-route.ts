import { randomUUID } from 'node:crypto';
import type { Outbound } from '@waiver-service/outbound';
import type { Store } from '@waiver-service/store';
import { z } from 'zod';
import { createAlertSender } from '../../alerts/alert-sender.ts';
import type { Mailer } from '../../alerts/mailer.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { idPathSchema } from '../admin-paths.ts';
import { sendTest, testAnswerFields, testMessage } from '../send-test.ts';
import { alertNotFound } from './alert-answer.ts';
import { requireMailer } from './alert-body.ts';

const testAnswerSchema = z.object({
  ok: z.boolean(),
  status: z.int().optional().describe('What the receiver answered; of a mail server its reply code.'),
  ...testAnswerFields,
});

const testBody = (name: string, baseUrl: string) => ({
  type: 'test',
  at: new Date().toISOString(),
  message: `This is a test of the alert “${name}”: nothing is wrong.`,
  leftOut: 0,
  link: `${baseUrl}/console/alerts`,
});

interface Services {
  readonly store: Pick<Store, 'alerts'>;
  readonly outbound: Pick<Outbound, 'endpoint'>;
  readonly mailer: Mailer | undefined;
  readonly baseUrl: () => string;
}

/** `POST …/alerts/{id}/test`: sends a message of type `test` at once and says what came back. */
export const testAlertRoute: RouteModule<Services> = (app, { store, outbound, mailer, baseUrl }) => {
  app.route({
    config: { access: 'operator', poolCheck: 'alert' },
    method: 'POST',
    url: '/v1/admin/alerts/:id/test',
    schema: {
      operationId: 'testAlert',
      tags: ['Operators'],
      summary: 'Send a test alert now, and say what came back',
      description: 'Its `type` is `test`.',
      params: idPathSchema,
      response: { 200: testAnswerSchema },
    },
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
};
