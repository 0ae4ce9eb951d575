import type { readStepSchema } from '@waiver-service/api';
import type { ShownBody, ShownHeader } from '@waiver-service/outbound';
import type { z } from 'zod';

/** See {@link readStepSchema}. */
export type ReadStep = z.infer<typeof readStepSchema>;

export const headersAnswer = (headers: readonly ShownHeader[]) => headers.map((header) => ({ ...header }));
export const bodyAnswer = (body: ShownBody) => ({ ...body });
