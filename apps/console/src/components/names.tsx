import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { poolsQuery } from '../api/queries.ts';
import type { WaiverRecord } from '../api/resources.ts';
import { useSession } from '../session/session.tsx';
import { texts } from '../text/english.ts';

/** The names of pools; their ids until the names are known. */
export function PoolNames({ ids }: { readonly ids: readonly string[] }) {
  const { data = [] } = useQuery(poolsQuery);
  return ids.map((id) => data.find((pool) => pool.id === id)?.name ?? id).join(', ');
}

export function PoolName({ id }: { readonly id: string }) {
  return <PoolNames ids={[id]} />;
}

/** A guest's name, or why none is shown. @param name an answer: anything that a waiver app sent */
export function GuestName({ name }: { readonly name: unknown }) {
  const { may } = useSession();
  if (!may('operator')) return 'Name hidden';
  return typeof name === 'string' && name !== '' ? name : texts.guests.unnamed;
}

/** The guest's name, or the record's id if the name is unknown or may not be seen. */
export function nameOfGuest({ id, answers }: Pick<WaiverRecord, 'id' | 'answers'>): string {
  const name = answers?.name;
  return typeof name === 'string' && name !== '' ? name : id;
}

const shown = 8;

/** The end of a long id, enough to tell rows apart; the title has all of it. */
export function ShortId({ id }: { readonly id: string }) {
  return <code title={id}>{id.length <= shown * 2 ? id : `…${id.slice(-shown)}`}</code>;
}

/** A booking's id, linked to the booking. @param bookingSystem the pool's default if there is none */
export function BookingLink(props: {
  readonly pool: string;
  readonly id: string;
  readonly bookingSystem: string | null | undefined;
}) {
  const { pool, id, bookingSystem } = props;
  return (
    <Link to="/bookings" search={{ pool, id, bookingSystem: bookingSystem ?? undefined }}>
      {id}
    </Link>
  );
}
