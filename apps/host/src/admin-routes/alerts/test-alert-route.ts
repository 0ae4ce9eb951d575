import { randomUUID } from 'node:crypto';
import { idPathSchema, testAnswerFields } from '@waiver-service/api';
import { z } from 'zod';
import { createAlertSender } from '../../alerts/alert-sender.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { sendTest, testMessage } from '../send-test.ts';
import { alertNotFound } from './alert-answer.ts';
import { requireMailer } from './alert-body.ts';

const testAnswerSchema = z.object({
  ok: z.boolean(),
  status: z
    .int()
    .optional()
    .describe(
      'The HTTP status of the receiver’s response, or the reply code of a mail server that refused the mail.',
    ),
  ...testAnswerFields,
});

const testBody = (name: string, baseUrl: string) => ({
  type: 'test',
  at: new Date().toISOString(),
  message: `This is a test of the alert “${name}”: nothing is wrong.`,
  leftOut: 0,
  link: `${baseUrl}/console/alerts`,
});

/** `POST …/alerts/{id}/test`: sends a message of type `test` at once and returns the receiver's answer. */
export const testAlertRoute: RouteModule = (app, { store, outbound, mailer, baseUrl }) => {
  app.route({
    config: { access: 'operator', poolCheck: 'alert' },
    method: 'POST',
    url: '/v1/admin/alerts/:id/test',
    schema: {
      operationId: 'testAlert',
      summary: 'Send a test alert now, and return the receiver’s answer',
      description: 'Sends a message whose `type` is `test`. It is not stored as a delivery.',
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
