export { startThrowawayPostgres, type ThrowawayPostgres } from './throwaway-postgres.ts';
