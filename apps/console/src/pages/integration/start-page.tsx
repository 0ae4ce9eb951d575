import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { bookingSystemsQuery, firstStepsQuery, poolsQuery } from '../../api/queries.ts';
import type { FirstSteps, Pool } from '../../api/resources.ts';
import { SecretOnce } from '../../components/copyable.tsx';
import { ChoiceField } from '../../components/field.tsx';
import { Card, Item, Page } from '../../components/layout.tsx';
import { Empty, Loading, Notice, ProblemNotice } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { AddCredential } from '../people/people-page.tsx';
import { AddAccessToken } from './access-tokens.tsx';
import styles from './integration.module.css';
import { AddPool } from './pools-page.tsx';
import { ChooseSystem, InstallSystem, type ReadBooking, ReadFirstBooking, Step } from './steps.tsx';
import { AddWebhook } from './webhook-dialogs.tsx';

const route = getRouteApi('/start');
// Polls, because steps may be done elsewhere, such as by a booking system that installs itself.
const watchEveryMs = 2_000;

/** The steps from an empty service to the first booking. Progress is derived from the resources that exist. */
export function StartPage() {
  const { may } = useSession();
  const { data: steps, error } = useQuery({
    ...firstStepsQuery,
    refetchInterval: ({ state }) => (state.data?.booking ? false : watchEveryMs),
  });
  const { data: pools } = useQuery(poolsQuery);
  return (
    <Page
      title="Get started"
      lead="From choosing a booking system to reading the first booking. You can leave at any time; your progress is kept."
    >
      <ProblemNotice error={error} />
      {may('owner') ? null : (
        <Empty title="Only owners can do this">Only owners can set it up. Ask one of them.</Empty>
      )}
      {may('owner') && (steps === undefined || pools === undefined) ? <Loading /> : null}
      {may('owner') && steps !== undefined && pools !== undefined ? (
        <Steps steps={steps} pools={pools} />
      ) : null}
    </Page>
  );
}

function Steps({ steps, pools }: { readonly steps: FirstSteps; readonly pools: readonly Pool[] }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: systems = [] } = useQuery(bookingSystemsQuery);
  const [isReady, setIsReady] = useState(false);
  const [appPoolKey, setAppPoolKey] = useState<string>();
  const [booking, setBooking] = useState<ReadBooking>();

  const chosen = search.bookingSystem ?? systems.find(({ baseUrl }) => baseUrl !== null)?.installName;
  const system = systems.find(({ installName }) => installName === chosen);
  const pool = search.pool ?? pools[0]?.id;
  const isSystemDone =
    steps.installation || (system?.configured === true && (isReady || steps.bookingSystem));
  const done = [isSystemDone, steps.pool, steps.installation, steps.booking];
  const current = done.indexOf(false);
  const choosePool =
    pools.length > 1 && pool !== undefined ? (
      <ChoiceField
        label={texts.fields.pool}
        value={pool}
        choices={pools.map(({ id, name }) => [id, name] as const)}
        onChange={(id) => void navigate({ search: (former) => ({ ...former, pool: id }) })}
      />
    ) : null;

  return (
    <>
      <p role="status">{`${Math.max(...[Object.values(steps), done].map((of) => of.filter(Boolean).length))} of 4 steps done`}</p>
      <ol className={styles.steps}>
        <Step
          number={1}
          title="Choose a booking system"
          lead="Where the bookings are. Set its address and any other settings."
          isDone={isSystemDone}
          isCurrent={current === 0}
          summary={<span className="muted">{system?.displayName}</span>}
        >
          <ChooseSystem
            chosen={chosen}
            onChoose={(bookingSystem) =>
              void navigate({ search: (former) => ({ ...former, bookingSystem }) })
            }
            onReady={() => setIsReady(true)}
          />
        </Step>
        <Step
          number={2}
          title="Add a pool"
          lead="A pool is one operator’s waiver app, with its bookings and waivers."
          isDone={steps.pool}
          isCurrent={current === 1}
          summary={<code>{pool}</code>}
        >
          <p>
            <AddPool known={pools} />
          </p>
        </Step>
        <Step
          number={3}
          title="Install the booking system for the pool"
          lead="By hand, with the account that the operator has there. Or let the booking system install itself."
          isDone={steps.installation}
          isCurrent={current === 2}
        >
          {choosePool}
          {pool === undefined || chosen === undefined ? null : (
            <InstallSystem key={chosen} pool={pool} bookingSystem={chosen} onInstalled={setAppPoolKey} />
          )}
        </Step>
        <Step
          number={4}
          title="Read the first booking"
          lead="By an id from the booking system."
          isDone={steps.booking}
          isCurrent={current === 3}
        >
          {appPoolKey === undefined ? null : (
            <Card title="App pool key">
              <p>
                The booking system uses it to announce new and changed bookings. Not every booking system
                needs it.
              </p>
              <SecretOnce secret={appPoolKey} label="App pool key" />
            </Card>
          )}
          {choosePool}
          {pool === undefined ? null : <ReadFirstBooking pool={pool} onRead={setBooking} />}
        </Step>
      </ol>
      {steps.booking ? <AllDone booking={booking} pool={pool} /> : null}
    </>
  );
}

interface AllDoneProps {
  readonly booking: ReadBooking | undefined;
  readonly pool: string | undefined;
}

function AllDone({ booking, pool }: AllDoneProps) {
  return (
    <>
      <Notice tone="good" title="Setup is complete">
        {booking === undefined ? null : (
          <p>
            {`Booking ${booking.id} was read: ${booking.guests === 1 ? '1 guest' : `${booking.guests} guests`}.`}{' '}
            <Link to="/bookings" search={{ pool, id: booking.id }}>
              Open the booking
            </Link>
          </p>
        )}
      </Notice>
      {pool === undefined ? null : (
        <Card title="Next" isFlush>
          <ul>
            <Item
              title="A token for the waiver app"
              actions={<AddAccessToken pool={pool} bookingId={booking?.id} />}
            >
              <p className="muted">With it, the app reads bookings and stores waivers of this pool.</p>
            </Item>
            <Item title="A webhook" actions={<AddWebhook pool={pool} />}>
              <p className="muted">Sends each change of a guest’s record to your own program.</p>
            </Item>
            <Item title="People who can sign in" actions={<AddCredential />}>
              <p className="muted">
                Each with a role: operators work with guests’ data, viewers do not see it.
              </p>
            </Item>
          </ul>
        </Card>
      )}
    </>
  );
}
