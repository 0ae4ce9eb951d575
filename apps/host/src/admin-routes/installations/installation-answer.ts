import type { installationSchema } from '@waiver-service/api';
import type { InstallationSummary } from '@waiver-service/store';
import type { z } from 'zod';

export const installationAnswer = (summary: InstallationSummary): z.input<typeof installationSchema> => ({
  ...summary,
  shareProperties: [...summary.shareProperties],
});
