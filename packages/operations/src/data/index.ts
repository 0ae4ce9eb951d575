export { type DatabaseExamination, examineDatabase } from './examine-database.ts';
export { createOverviews } from './overview.ts';
export { type RestoredBackup, restoreBackup } from './restore-backup.ts';
export { operationsData } from './tables.ts';
export { type BackupProgress, writeBackup } from './write-backup.ts';
