export { AdminToken } from './authentication/admin-token.ts';
export { peopleModule } from './people-module.ts';
export { PeopleSettings } from './sign-in/sign-in-settings.ts';
