import type { keyItemSchema } from '@waiver-service/api';
import type { KeyInfo } from '@waiver-service/store';
import type { z } from 'zod';

export function keyItem({ id, createdAt, lastUsedAt, hint }: KeyInfo): z.input<typeof keyItemSchema> {
  return { id, createdAt, lastUsedAt, hint };
}
