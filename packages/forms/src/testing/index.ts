export { day, signed } from './signed.ts';
