import { createTestDatabase } from '@waiver-service/database/testing';
import { startWebhookReceiver } from '@waiver-service/simulator';
import { startSystemFor, textAt } from '@waiver-service/testing';
import { startProgram } from './program.ts';

/** The program with something of everything in it: a pool `p`, installed, with a webhook and a waiver `W-1`. */
export async function startFurnishedProgram(variables: Readonly<Record<string, string>> = {}) {
  const database = await createTestDatabase();
  const [system, receiver, program] = await Promise.all([
    startSystemFor('standard'),
    startWebhookReceiver(),
    startProgram({ DATABASE_URL: database.url, ...variables }),
  ]);
  const accessToken = await program.makePool('p');
  await program.connect('standard', system, 'p');
  const webhook = { url: receiver.url, auth: { type: 'none' } };
  const webhookId = textAt(await program.done('POST', '/v1/admin/pools/p/webhooks', webhook), 'id');
  const keys = await program.done('POST', '/v1/admin/booking-systems/standard/install-keys');
  const waiver = { id: 'W-1', bookingId: 'BK-1001', answers: { name: 'Ada' } };
  await program.done('POST', '/v1/pools/p/waivers', waiver);
  return {
    program,
    system,
    receiver,
    accessToken,
    webhookId,
    installKey: textAt(keys, 'key'),
    async close() {
      await program.stop();
      await Promise.all([system.close(), receiver.close()]);
      await database.drop();
    },
  };
}

export type FurnishedProgram = Awaited<ReturnType<typeof startFurnishedProgram>>;
