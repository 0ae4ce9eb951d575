// For tests of a whole host.
export { csvLine } from '../audit/audit-route.ts';
export { wrongTokensPerMinute } from '../authentication/identify-callers.ts';
export { peopleOnTestHosts } from './on-test-hosts.ts';
