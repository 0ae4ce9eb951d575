import type { DocumentedOperation } from '@waiver-service/testing';

/** Routes of owners. Of all others that need a role, viewers may read and operators do the rest. */
export const ownersOnly: readonly string[] = [
  'GET /v1/admin/credentials',
  'POST /v1/admin/credentials',
  'GET /v1/admin/audit/export',
  'DELETE /v1/admin/credentials/{id}',
  'GET /v1/admin/sessions',
  'DELETE /v1/admin/sessions/{id}',
  'PUT /v1/admin/booking-systems/{booking_system}',
  'GET /v1/admin/booking-systems/{booking_system}/install-keys',
  'POST /v1/admin/booking-systems/{booking_system}/install-keys',
  'DELETE /v1/admin/booking-systems/{booking_system}/install-keys/{id}',
];

/** A read, but of nothing that a viewer may see. */
export const readByOperators: readonly string[] = [
  'GET /v1/admin/pools/{pool}/export',
  'GET /v1/pools/{pool}/check-in-links',
  'GET /v1/pools/{pool}/waivers/{id}/document',
  'GET /v1/pools/{pool}/waivers/{id}/evidence',
  'GET /v1/admin/pools/{pool}/waivers/{id}/signing',
  'GET /v1/admin/pools/{pool}/invitations/refusals',
];

export const named = ({ method, path }: DocumentedOperation) => `${method} ${path}`;
