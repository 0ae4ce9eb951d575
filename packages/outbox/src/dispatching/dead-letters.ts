import type { Occurrence } from '../occurrences.ts';

/** The occurrences of dead letters: one for each destination. */
export function deadLettersOf(dead: readonly { readonly destination: string }[]): Occurrence[] {
  const times = new Map<string, number>();
  for (const { destination } of dead) times.set(destination, (times.get(destination) ?? 0) + 1);
  return [...times].map(([subject, count]) => ({ event: 'delivery.dead', subject, times: count }));
}
