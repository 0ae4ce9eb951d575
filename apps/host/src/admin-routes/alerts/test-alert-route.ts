import { randomUUID } from 'node:crypto';
import { outcomeOf } from '@waiver-service/delivery';
import type { Outbound } from '@waiver-service/outbound';
import type { Alert, OutboundMessage, Store } from '@waiver-service/store';
import { z } from 'zod';
import { createAlertSender } from '../../alerts/alert-sender.ts';
import type { Mailer } from '../../alerts/mailer.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { idPathSchema } from '../admin-paths.ts';
import { alertNotFound } from './alert-answer.ts';
import { requireMailer } from './alert-body.ts';

const testAnswerSchema = z.object({
  ok: z.boolean(),
  status: z.int().optional().describe('What the receiver answered; of a mail server its reply code.'),
  errorCode: z.string().optional().describe('As in the attempts of a delivery.'),
  message: z.string().optional().describe('What went wrong where no answer came.'),
  response: z.string().optional().describe('The beginning of the receiver’s answer.'),
  durationMs: z.int(),
});

// As the dispatcher would have it, but of no lane: nothing is stored, and nothing waits for it.
function testMessage({ destinationId: destination, name }: Alert, baseUrl: string): OutboundMessage {
  const id = randomUUID();
  const body = {
    type: 'test',
    at: new Date().toISOString(),
    message: `This is a test of the alert “${name}”: nothing is wrong.`,
    leftOut: 0,
    link: `${baseUrl}/console/alerts`,
  };
  return {
    id,
    kind: 'alert',
    pool: '',
    destination,
    orderingKey: id,
    waiverId: id,
    version: 1,
    bookingId: null,
    body: JSON.stringify(body),
    attempts: 0,
    inDoubt: false,
    failing: false,
    faults: 0,
    trigger: 'test',
  };
}

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
      const startedAt = performance.now();
      try {
        const result = await send(testMessage(alert, baseUrl()), signal);
        const durationMs = Math.round(performance.now() - startedAt);
        if (result.outcome === 'nothing-written' || result.outcome === 'postponed') {
          throw new Error('an alert is always sent');
        }
        const { status, response } = result;
        if (result.outcome === 'accepted') return { ok: true, status, response, durationMs };
        return { ok: false, status, errorCode: result.errorCode, response, durationMs };
      } catch (error) {
        const failure = outcomeOf(error);
        if (!('retry' in failure) || !(error instanceof Error)) throw error;
        const { status, errorCode } = failure;
        const durationMs = Math.round(performance.now() - startedAt);
        return { ok: false, status, errorCode, message: error.message, durationMs };
      }
    },
  });
};
