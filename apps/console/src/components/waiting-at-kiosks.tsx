import { useQuery } from '@tanstack/react-query';
import { kiosksQuery } from '../api/queries.ts';
import { kioskTexts } from '../text/english/later.ts';
import { DateTime } from './date-time.tsx';
import { Notice } from './notice.tsx';

/** A pool's kiosks with unsent signings, and since when; renders nothing if there are none. */
export function WaitingAtKiosks({ pool }: { readonly pool: string }) {
  const { data = [] } = useQuery(kiosksQuery(pool));
  const waiting = data.filter((kiosk) => kiosk.waiting > 0);
  if (waiting.length === 0) return null;
  return (
    <Notice tone="warning">
      {waiting.map(({ id, name, waiting: count, waitingSince }) => (
        <p key={id}>
          {kioskTexts.waitingAt(count, name)} <DateTime value={waitingSince} style="relative" />
        </p>
      ))}
    </Notice>
  );
}
