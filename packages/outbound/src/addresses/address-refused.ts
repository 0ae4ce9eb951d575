/** An address that outbound calls may not reach. The message says why, and which setting would open it. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}
