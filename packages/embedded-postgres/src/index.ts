export { DataFolderInUse } from './host-lock.ts';
export { makeFolder } from './make-folder.ts';
export { NoEmbeddedDatabase, reachEmbeddedPostgres } from './reach-embedded-postgres.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts';
