export {
  adverseSettings,
  createEmptyDatabase,
  createTestDatabase,
  databaseUrl,
  execute,
  serverUrlVariable,
  setForDatabase,
  type TestDatabase,
  templateDatabase,
  untilBlocked,
} from './test-database.ts';
