import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { bookingSystemsQuery, dataOf, installationsQuery } from '../../api/queries.ts';
import type { Installation } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/facts.tsx';
import { Empty, Loading, Notice, ProblemNotice } from '../../components/notice.tsx';
import { useChange } from '../../components/use-change.ts';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { AuthorizeDialog } from './authorize-dialog.tsx';
import { CheckDialog } from './check-dialog.tsx';
import styles from './pools.module.css';
import { TestDialog } from './test-dialog.tsx';

/** The booking systems that are installed for a pool. */
export function Installations({ pool }: { readonly pool: string }) {
  const { data: installations, error, refetch } = useQuery(installationsQuery(pool));
  return (
    <Card title={texts.installations.title} isFlush>
      {error === null ? null : <ProblemNotice error={error} retry={() => void refetch()} />}
      {installations === undefined && error === null ? <Loading /> : null}
      {installations?.length === 0 ? (
        <Empty title={texts.installations.none}>{texts.installations.noneHint}</Empty>
      ) : null}
      <ul className={styles.items}>
        {installations?.map((installation) => (
          <InstallationItem key={installation.bookingSystem} pool={pool} installation={installation} />
        ))}
      </ul>
    </Card>
  );
}

function StatusBadge({ installation: { status, paused } }: { readonly installation: Installation }) {
  if (status !== 'active') return <Badge tone="warning">{texts.installations.statuses[status]}</Badge>;
  return paused ? (
    <Badge tone="warning">{texts.destinationStates.paused}</Badge>
  ) : (
    <Badge tone="good">{texts.installations.statuses.active}</Badge>
  );
}

interface ItemProps {
  readonly pool: string;
  readonly installation: Installation;
}

function InstallationItem({ pool, installation }: ItemProps) {
  const {
    bookingSystem,
    accountId,
    installedAt,
    shareProperties,
    lastSuccessAt,
    lastFailure,
    attention,
    webhooks,
  } = installation;
  const { may } = useSession();
  const [dialog, setDialog] = useState<'test' | 'check' | 'authorize' | 'approve' | 'uninstall'>();
  const { data: systems = [] } = useQuery(bookingSystemsQuery);
  const system = systems.find(({ installName }) => installName === bookingSystem);
  const shared = { pool, bookingSystem, onClose: () => setDialog(undefined) };
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <span className={styles.title}>
          <Link to="/booking-systems/$name" params={{ name: bookingSystem }}>
            {bookingSystem}
          </Link>
          <StatusBadge installation={installation} />
        </span>
        {may('operator') ? (
          <span className={styles.actions}>
            <Button size="small" onClick={() => setDialog('test')}>
              {texts.actions.test}
            </Button>
            <Button size="small" onClick={() => setDialog('check')}>
              {texts.check.open}
            </Button>
            {system?.authorizedInBrowser ? (
              <Button
                size="small"
                look={attention === undefined ? 'plain' : 'primary'}
                onClick={() => setDialog('authorize')}
              >
                {attention === undefined ? texts.installations.authorize : texts.installations.renew}
              </Button>
            ) : null}
            {installation.status === 'pending' ? (
              <Button size="small" look="primary" onClick={() => setDialog('approve')}>
                {texts.installations.approve}
              </Button>
            ) : null}
            <Button size="small" look="danger" onClick={() => setDialog('uninstall')}>
              {texts.installations.uninstall}
            </Button>
          </span>
        ) : null}
      </div>
      {attention === undefined ? null : (
        <Notice tone="bad" title={texts.installations.attention}>
          {attention.reason} (<DateTime value={attention.since} style="relative" />)
        </Notice>
      )}
      {installation.status === 'pending' ? (
        <Notice tone="warning">{texts.installations.pendingHint}</Notice>
      ) : null}
      <Facts
        items={[
          [texts.installations.account, String(accountId)],
          [texts.installations.installedAt, <DateTime key="at" value={installedAt} />],
          [texts.installations.environment, installation.environment ?? undefined],
          [texts.bookingSystems.baseUrl, installation.baseUrl ?? undefined],
          [
            texts.installations.webhooks,
            webhooks === undefined ? undefined : <WebhookState key="webhooks" webhooks={webhooks} />,
          ],
          [texts.installations.shares, shareProperties.join(', ') || texts.installations.sharesNothing],
          [
            texts.installations.lastSuccess,
            <DateTime key="success" value={lastSuccessAt} style="relative" />,
          ],
          [
            texts.installations.lastFailure,
            lastFailure === undefined ? undefined : (
              <span key="failure">
                <DateTime value={lastFailure.at} style="relative" />:{' '}
                {lastFailure.status === undefined
                  ? texts.errorCodes(lastFailure.errorCode)
                  : texts.delivery.status(lastFailure.status)}
              </span>
            ),
          ],
        ]}
      />
      <TestDialog isOpen={dialog === 'test'} {...shared} />
      <CheckDialog isOpen={dialog === 'check'} {...shared} />
      <AuthorizeDialog isOpen={dialog === 'authorize'} {...shared} />
      <ApproveDialog isOpen={dialog === 'approve'} {...shared} />
      <UninstallDialog isOpen={dialog === 'uninstall'} {...shared} />
    </li>
  );
}

const webhookTones = { registering: 'warning', registered: 'good', failing: 'bad' } as const;

/** Whether the vendor announces changes to this host: registered when, or why not. */
function WebhookState({ webhooks }: { readonly webhooks: NonNullable<Installation['webhooks']> }) {
  const { state, registeredAt, lastFailure } = webhooks;
  return (
    <>
      <Badge tone={webhookTones[state]}>{texts.installations.webhookStates[state]}</Badge>{' '}
      {registeredAt === undefined ? null : (
        <span className="muted">
          {texts.installations.registeredAt} <DateTime value={registeredAt} style="relative" />
        </span>
      )}
      {lastFailure === undefined || state === 'registered' ? null : (
        <p>
          <DateTime value={lastFailure.at} style="relative" />:{' '}
          {texts.installations.webhooksFailing(lastFailure.code, lastFailure.message)}
        </p>
      )}
    </>
  );
}

interface InstallationDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly pool: string;
  readonly bookingSystem: string;
}

function ApproveDialog({ pool, bookingSystem, ...open }: InstallationDialogProps) {
  const path = { pool, booking_system: bookingSystem };
  const approve = useChange({
    change: () =>
      dataOf(api.POST('/v1/admin/pools/{pool}/installations/{booking_system}/approve', { params: { path } })),
    queryKey: installationsQuery(pool).queryKey,
    done: texts.installations.approved,
  });
  return (
    <ConfirmDialog
      {...open}
      title={texts.installations.approveTitle(bookingSystem)}
      lead={texts.installations.approveLead}
      confirm={texts.installations.approve}
      action={approve}
    />
  );
}

function UninstallDialog({ pool, bookingSystem, ...open }: InstallationDialogProps) {
  const path = { pool, booking_system: bookingSystem };
  const uninstall = useChange({
    change: () => api.DELETE('/v1/admin/pools/{pool}/installations/{booking_system}', { params: { path } }),
    queryKey: installationsQuery(pool).queryKey,
    done: texts.installations.uninstalled,
  });
  return (
    <ConfirmDialog
      {...open}
      title={texts.installations.uninstallTitle(bookingSystem)}
      lead={texts.installations.uninstallLead}
      confirm={texts.installations.uninstall}
      isDangerous
      action={uninstall}
    />
  );
}
