import { api } from '../../api/client.ts';
import { dataOf } from '../../api/queries.ts';
import { KeyCard } from '../../components/key-card.tsx';
import { texts } from '../../text/english.ts';

const url = '/v1/admin/booking-systems/{booking_system}/install-keys';

/** The keys with which a booking system installs itself for pools. */
export function InstallKeys({ name }: { readonly name: string }) {
  const path = { booking_system: name };
  return (
    <KeyCard
      words={texts.installKeys}
      mayChange
      query={{
        queryKey: ['install-keys', name],
        queryFn: async () => (await dataOf(api.GET(url, { params: { path, query: { limit: 100 } } }))).items,
      }}
      add={async () => (await dataOf(api.POST(url, { params: { path } }))).key}
      revoke={(id) => api.DELETE(`${url}/{id}`, { params: { path: { ...path, id } } })}
    />
  );
}
