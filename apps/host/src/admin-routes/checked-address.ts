import { AddressRefused, type Outbound } from '@waiver-service/outbound';
import { malformed } from '../http/http-problem.ts';

/**
 * Checks an address that an operator configures.
 * @throws HttpProblem 400 that names the field and says why the address is refused
 */
export async function checkAddress(
  { outbound }: { readonly outbound: Pick<Outbound, 'checkUrl'> },
  field: string,
  url: string,
): Promise<void> {
  try {
    await outbound.checkUrl(url);
  } catch (error) {
    if (error instanceof AddressRefused) throw malformed([{ path: field, message: error.message }]);
    throw error;
  }
}
