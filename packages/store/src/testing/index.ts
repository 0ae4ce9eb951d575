export { createTestDatabase, type TestDatabase } from './test-database.ts';
export { startTestServer } from './test-server.ts';
