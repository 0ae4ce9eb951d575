/** Outbound calls may not connect to an address. The message says why, and which setting would allow it. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}
