import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { bookingSystemsQuery, firstStepsQuery, poolsQuery } from '../../api/queries.ts';
import type { FirstSteps, Pool } from '../../api/resources.ts';
import { Card } from '../../components/card.tsx';
import { ChoiceField } from '../../components/field.tsx';
import { Item } from '../../components/item.tsx';
import { Empty, Loading, Notice, ProblemNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { AddCredential } from '../people/add-credential.tsx';
import { AddAccessToken } from '../pools/add-access-token.tsx';
import { AddPool } from '../pools/add-pool.tsx';
import { AddWebhook } from '../pools/add-webhook.tsx';
import { ChooseSystem } from './choose-system.tsx';
import { InstallSystem } from './install-system.tsx';
import { type ReadBooking, ReadFirstBooking } from './read-booking.tsx';
import { countDone } from './start-invitation.tsx';
import styles from './start-page.module.css';
import { Step } from './step.tsx';

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
    <Page title={texts.start.title} lead={texts.start.lead}>
      <ProblemNotice error={error} />
      {may('owner') ? null : <Empty title={texts.start.ownersOnly}>{texts.start.inviteOthers}</Empty>}
      {may('owner') && (steps === undefined || pools === undefined) ? <Loading /> : null}
      {may('owner') && steps !== undefined && pools !== undefined ? (
        <Steps steps={steps} pools={pools} />
      ) : null}
    </Page>
  );
}

interface StepsProps {
  readonly steps: FirstSteps;
  readonly pools: readonly Pool[];
}

function Steps({ steps, pools }: StepsProps) {
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
        label={texts.shell.pool}
        value={pool}
        choices={pools.map(({ id, name }) => [id, name] as const)}
        onChange={(id) => void navigate({ search: (former) => ({ ...former, pool: id }) })}
      />
    ) : null;

  return (
    <>
      <p role="status">{texts.start.progress(Math.max(countDone(steps), done.filter(Boolean).length))}</p>
      <ol className={styles.steps}>
        <Step
          number={1}
          title={texts.start.system.title}
          lead={texts.start.system.lead}
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
          title={texts.start.pool.title}
          lead={texts.start.pool.lead}
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
          title={texts.start.installation.title}
          lead={texts.start.installation.lead}
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
          title={texts.start.booking.title}
          lead={texts.start.booking.lead}
          isDone={steps.booking}
          isCurrent={current === 3}
        >
          {appPoolKey === undefined ? null : (
            <Card title={texts.start.installation.appPoolKey}>
              <p>{texts.start.installation.appPoolKeyLead}</p>
              <SecretOnce secret={appPoolKey} label={texts.start.installation.appPoolKey} />
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
  const { title, token, tokenLead, webhook, webhookLead, people, peopleLead } = texts.start.next;
  return (
    <>
      <Notice tone="good" title={texts.start.all}>
        {booking === undefined ? null : (
          <p>
            {texts.start.booking.read(booking.id, booking.guests)}{' '}
            <Link to="/bookings" search={{ pool, id: booking.id }}>
              {texts.start.booking.open}
            </Link>
          </p>
        )}
      </Notice>
      {pool === undefined ? null : (
        <Card title={title} isFlush>
          <ul>
            <Item title={token} actions={<AddAccessToken pool={pool} bookingId={booking?.id} />}>
              <p className="muted">{tokenLead}</p>
            </Item>
            <Item title={webhook} actions={<AddWebhook pool={pool} />}>
              <p className="muted">{webhookLead}</p>
            </Item>
            <Item title={people} actions={<AddCredential />}>
              <p className="muted">{peopleLead}</p>
            </Item>
          </ul>
        </Card>
      )}
    </>
  );
}
