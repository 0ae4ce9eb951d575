import { Schema } from '@waiver-service/database';
import { migrations } from '../migrations/migrations.ts';
import { alignChangeClock } from './change-clock.ts';
import type { Tables } from './tables.ts';

/** The schema of the service. */
export const schema = new Schema<Tables>({ migrations, afterMigrating: alignChangeClock });
