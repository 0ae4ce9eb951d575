import { z } from 'zod';

/** Marks a response without guests' data. */
export const redactedSchema = z.literal(true).optional().describe('Present if the guests’ data is left out.');

/** Replaces a message that may quote a guest. */
export const hiddenMessage = 'Not shown to viewers, since it may quote a guest.';
