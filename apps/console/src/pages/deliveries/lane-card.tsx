import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { laneQuery } from '../../api/queries.ts';
import type { DeliveryDetail, Lane, LaneItem } from '../../api/resources.ts';
import { Card } from '../../components/card.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { GuestName } from '../../components/guest-name.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { DeliveryBadge } from '../../components/state-badge.tsx';
import { texts } from '../../text/english.ts';
import styles from './lane-card.module.css';

export function LaneCard({ delivery }: { readonly delivery: DeliveryDetail }) {
  return (
    <Card title={texts.lane.title}>
      <Loaded query={useQuery(laneQuery(delivery.id))}>
        {(lane) => (
          <>
            <p className="muted">{texts.lane.lead(lane.orderedBy, lane.key)}</p>
            <LaneList lane={lane} />
          </>
        )}
      </Loaded>
    </Card>
  );
}

function LaneList({ lane }: { readonly lane: Lane }) {
  const { before, after, waiting } = lane;
  const moreBefore = before.count - before.items.length;
  const moreAfter = after.count - after.items.length;
  if (!waiting && after.count === 0) return <p>{texts.lane.nothingElse}</p>;
  return (
    <ol className={styles.lane}>
      {moreBefore > 0 ? <li className="muted">{texts.lane.more(moreBefore)}</li> : null}
      {before.items.map((item) => (
        <Waiting key={item.id} item={item} />
      ))}
      <li className={styles.own} aria-current="true">
        <strong>{waiting ? texts.lane.waits : texts.lane.ended}</strong>
      </li>
      {after.items.map((item) => (
        <Waiting key={item.id} item={item} />
      ))}
      {moreAfter > 0 ? <li className="muted">{texts.lane.more(moreAfter)}</li> : null}
    </ol>
  );
}

function Waiting({ item }: { readonly item: LaneItem }) {
  const { id, state, guestName, version, nextAttemptAt } = item;
  return (
    <li>
      <DeliveryBadge state={state} />
      <Link to="/deliveries/$id" params={{ id }}>
        <GuestName name={guestName} /> · {texts.waivers.version(version)}
      </Link>
      <span className="muted">
        {texts.lane.due} <DateTime value={nextAttemptAt} style="relative" />
      </span>
    </li>
  );
}
