import { useQuery } from '@tanstack/react-query';
import { kiosksQuery } from '../api/queries.ts';
import { kioskTexts } from '../text/english/kiosks.ts';
import { DateTime } from './date-time.tsx';
import { Notice } from './notice.tsx';

/** Which kiosks of a pool have signings that wait there, and since when; nothing if none has. */
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
