export { RequestAudit } from './audit/audit-requests.ts';
export { AdminToken } from './authentication/admin-token.ts';
export { authenticateCallers, CallerIdentification } from './authentication/identify-callers.ts';
export { peopleModule } from './people-module.ts';
export { PeopleSettings } from './sign-in/sign-in-settings.ts';
