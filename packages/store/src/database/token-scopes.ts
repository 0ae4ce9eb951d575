/** The rights that an access token can have. */
export const tokenScopes = [
  'bookings:read',
  'waivers:write',
  'waivers:read',
  'waivers:list',
  'check-in:write',
] as const;

/** One of {@link tokenScopes}. */
export type TokenScope = (typeof tokenScopes)[number];
