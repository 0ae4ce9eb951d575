import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ApiProblem, call } from '../../api/client.ts';
import { deskLinksQuery, formsQuery, poolsQuery } from '../../api/queries.ts';
import type { Pool } from '../../api/resources.ts';
import { CheckInLinkItem, isUsable, MakeLinkButton } from '../../components/check-in-link.tsx';
import { type Column, TableCard } from '../../components/data-table.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { FormButton } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Card, ListCard, Loaded, Page } from '../../components/layout.tsx';
import { Notice } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { LateSignings, UnmatchedWaivers } from '../guest-data/attention.tsx';
import { Invitations } from '../invitations/invitations.tsx';
import { Kiosks } from '../kiosk/kiosks.tsx';
import { AccessTokens } from './access-tokens.tsx';
import { Installations } from './installations.tsx';
import { Webhooks } from './webhooks.tsx';

/**
 * Adds a pool.
 *
 * @param known - the existing pools; the PUT that adds one would overwrite a pool with the same id
 */
export function AddPool({ known }: { readonly known: readonly Pool[] }) {
  return (
    <FormButton
      look="primary"
      title="Add pool"
      initialDraft={{ id: '', name: '' }}
      submit={async ({ id, name }) => {
        if (known.some((pool) => pool.id === id)) {
          throw new ApiProblem({
            status: 409,
            code: 'pool_exists',
            message: 'A pool with this id already exists.',
          });
        }
        await call('PUT', '/v1/admin/pools/:pool', { params: { pool: id }, body: { name } });
      }}
      done="Pool added."
    >
      {({ field }) => (
        <>
          <TextField
            label={texts.pools.id}
            hint="Booking systems use this id to install themselves. It cannot be changed."
            required
            maxLength={128}
            {...field('id')}
          />
          <TextField label={texts.fields.name} required maxLength={200} {...field('name')} />
        </>
      )}
    </FormButton>
  );
}

const columns: readonly Column<Pool>[] = [
  {
    heading: texts.fields.name,
    cell: ({ id, name }) => (
      <Link to="/pools/$pool" params={{ pool: id }}>
        {name}
      </Link>
    ),
    onCard: 'title',
  },
  { heading: texts.fields.id, cell: ({ id }) => <code>{id}</code> },
  { heading: 'Default booking system', cell: ({ defaultBookingSystem }) => defaultBookingSystem },
  { heading: texts.fields.created, cell: ({ createdAt }) => <DateTime value={createdAt} /> },
];

export function PoolsPage() {
  const { data: pools = [] } = useQuery(poolsQuery);
  const { may, me } = useSession();
  return (
    <Page
      title={texts.pages.pools}
      lead="Each pool is one operator’s waiver app."
      actions={may('operator') && me.pools === null ? <AddPool known={pools} /> : undefined}
    >
      <TableCard
        label={texts.pages.pools}
        columns={columns}
        query={poolsQuery}
        rowKey={({ id }) => id}
        none={texts.pools.none}
      >
        {texts.pools.noneHint}
      </TableCard>
    </Page>
  );
}

/** The pool's desk links, with which guests sign without a booking. For operators. */
function DeskLinks({ pool, name }: { readonly pool: string; readonly name: string }) {
  const { may } = useSession();
  const { data: forms } = useQuery({ ...formsQuery(pool), enabled: may('operator') });
  if (!may('operator')) return null;
  const hasForm = forms?.some(({ published, archivedAt }) => published !== null && archivedAt === null);
  return (
    <ListCard
      title="Desk"
      actions={
        <MakeLinkButton
          size="small"
          label="Make link"
          pool={pool}
          place={{ desk: true }}
          title="Sign at the desk"
          lead="For a poster or a tablet at the desk: guests sign without a booking. It works for a year."
          heading={name}
        />
      }
      query={{ ...deskLinksQuery(pool), select: (links) => links.filter(isUsable) }}
      none="No link for the desk"
      noneHint="Make one for a poster or a tablet, so that guests can sign without a booking."
      item={(link) => <CheckInLinkItem key={link.id} pool={pool} link={link} title="Link of the desk" />}
    >
      {hasForm === false ? (
        <Notice tone="warning" title="This pool has no published form">
          <p>
            A link made now says so to guests, and works once a form is published.{' '}
            <Link to="/forms" search={{ pool }}>
              Open the forms
            </Link>
          </p>
        </Notice>
      ) : null}
    </ListCard>
  );
}

function Retention({ pool }: { readonly pool: Pool }) {
  const { may } = useSession();
  const { waiversDays: days } = pool.retention;
  return (
    <Card title="Retention" actions={may('operator') ? <ChangeRetention pool={pool} /> : null}>
      <p>
        {days === null
          ? 'Waivers are kept forever.'
          : `${days} ${days === 1 ? 'day' : 'days'} after the visit; for minors, after their 18th birthday. A hold keeps a waiver longer.`}
      </p>
    </Card>
  );
}

function ChangeRetention({ pool: { id, name, retention } }: { readonly pool: Pool }) {
  return (
    <FormButton
      label="Change"
      title="Retention"
      submitLabel={texts.actions.save}
      lead="Older waivers are removed within the hour, with everything that was sent of them. This cannot be undone."
      initialDraft={{ days: retention.waiversDays?.toString() ?? '' }}
      submit={({ days }) =>
        call('PUT', '/v1/admin/pools/:pool', {
          params: { pool: id },
          body: { name, retention: { waiversDays: days === '' ? null : Number(days) } },
        })
      }
      done="Retention changed."
    >
      {({ field }) => (
        <TextField
          label="Days after the visit"
          hint="Leave empty to keep waivers forever."
          type="number"
          min={1}
          max={36_500}
          step={1}
          {...field('days', 'retention.waiversDays')}
        />
      )}
    </FormButton>
  );
}

const route = getRouteApi('/pools/$pool');

export function PoolPage() {
  const { pool } = route.useParams();
  return (
    <Loaded query={poolsQuery}>
      {(pools) => <PoolView pool={pool} found={pools.find(({ id }) => id === pool)} />}
    </Loaded>
  );
}

function PoolView({ pool, found }: { readonly pool: string; readonly found: Pool | undefined }) {
  return (
    <Page title={found?.name ?? pool} lead={`Pool ${pool}`}>
      <LateSignings pool={pool} />
      <UnmatchedWaivers pool={pool} />
      <Installations pool={pool} />
      <DeskLinks pool={pool} name={found?.name ?? pool} />
      <Invitations pool={pool} name={found?.name ?? pool} />
      <Kiosks pool={pool} />
      <Webhooks pool={pool} />
      <AccessTokens pool={pool} />
      {found === undefined ? null : <Retention pool={found} />}
    </Page>
  );
}
