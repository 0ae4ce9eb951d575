import type { FeatureData } from '@waiver-service/store/features';
import { sql } from 'kysely';
import { arrivalRetentionDays, arrivalsOf, eraseArrivals } from './arrivals.ts';
import { migrations } from './tables.ts';

/** The day board's tables. */
export const dayBoardData: FeatureData = {
  migrations,
  ofInstallation: ['arrival', 'day_reading'],
  personalData: {
    eraseOfWaivers: eraseArrivals,
    exportOfWaiver: async ({ database }, waiver) => ({ arrivals: await arrivalsOf(database, waiver) }),
  },
  retention: () => [
    {
      table: 'arrival',
      maxBatchSize: 500,
      isOver: sql`t.arrived_at < now() - ${arrivalRetentionDays}::integer * interval '1 day'`,
    },
    { table: 'day_reading', maxBatchSize: 500, isOver: sql`t.begun_at < now() - interval '2 days'` },
  ],
};
