export { adverseSettings, setForDatabase } from './adverse-settings.ts';
export {
  createEmptyDatabase,
  createTestDatabase,
  databaseUrl,
  execute,
  serverUrlVariable,
  type TestDatabase,
  templateDatabase,
} from './test-database.ts';
export { untilBlocked } from './until-blocked.ts';
