import { type CheckOutcome, checkContract } from '@waiver-service/contract-check';
import { createOutbound } from '@waiver-service/outbound';
import { apiKeyVariable, type CheckOptions } from './options.ts';

const keyAdvice = (header: string, option: string) =>
  `set ${apiKeyVariable} to the key of the account; if it is, accept it in the header ${header}, or name your header with ${option}`;

export async function check(options: CheckOptions): Promise<CheckOutcome> {
  const { bookingApi, apiKey, pool, write, booking: bookingId } = options;
  const authHeaderName = options['auth-header'];
  const guestUpdateAuthHeaderName = options['guest-update-header'];
  // Allow every address: the user chose it, and it may be on their machine.
  const outbound = createOutbound({ allow: ['0.0.0.0/0', '::/0'], timeoutMs: options.timeout * 1000 });
  try {
    return await checkContract(
      {
        bookingApi,
        apiKey,
        pool,
        write,
        bookingId,
        missingBookingId: options['missing-booking'],
        pathShape: options['path-shape'],
        guestId: options['guest-id'],
        authHeaderName,
        guestUpdateAuthHeaderName,
        advice: {
          booking: 'name a booking that is there with --booking; check the base address and --path-shape',
          readKey: keyAdvice(authHeaderName, '--auth-header'),
          guestUpdateKey: keyAdvice(guestUpdateAuthHeaderName, '--guest-update-header'),
          nothingWritten: 'nothing is written without --write',
        },
      },
      { outbound },
    );
  } finally {
    await outbound.close();
  }
}
