export { AdminToken } from './authentication/identify-callers.ts';
export { peopleModule } from './people-module.ts';
export { PeopleSettings } from './sign-in/sign-in-settings.ts';
