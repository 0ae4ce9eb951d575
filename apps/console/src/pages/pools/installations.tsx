import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { bookingSystemsQuery, installationsQuery } from '../../api/queries.ts';
import type { Installation } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { DialogButton } from '../../components/dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { Item } from '../../components/item.tsx';
import { ListCard } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import { AuthorizeDialog } from './authorize-dialog.tsx';
import { CheckDialog } from './check-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';

export function Installations({ pool }: { readonly pool: string }) {
  return (
    <ListCard
      title={texts.installations.title}
      query={useQuery(installationsQuery(pool))}
      none={texts.installations.none}
      noneHint={texts.installations.noneHint}
      item={(installation) => (
        <InstallationItem key={installation.bookingSystem} pool={pool} installation={installation} />
      )}
    />
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
    shareDocument,
    lastSuccessAt,
    lastFailure,
    attention,
    webhooks,
  } = installation;
  const { data: systems = [] } = useQuery(bookingSystemsQuery);
  const system = systems.find(({ installName }) => installName === bookingSystem);
  const takesDocument = system?.capabilities.takes.includes('files') ?? false;
  const documentChange = shareDocument ? texts.installations.stopDocument : texts.installations.sendDocument;
  const path = { pool, booking_system: bookingSystem };
  const { queryKey } = installationsQuery(pool);
  return (
    <Item
      title={
        <>
          <Link to="/booking-systems/$name" params={{ name: bookingSystem }}>
            {bookingSystem}
          </Link>
          <StatusBadge installation={installation} />
        </>
      }
      actions={
        <>
          <DialogButton
            label={texts.actions.test}
            size="small"
            dialog={(close) => <TestDialog pool={pool} bookingSystem={bookingSystem} onClose={close} />}
          />
          <DialogButton
            label={texts.check.open}
            size="small"
            dialog={(close) => <CheckDialog pool={pool} bookingSystem={bookingSystem} onClose={close} />}
          />
          {system?.authorizedInBrowser ? (
            <DialogButton
              label={attention === undefined ? texts.installations.authorize : texts.installations.renew}
              size="small"
              look={attention === undefined ? 'plain' : 'primary'}
              dialog={(close) => (
                <AuthorizeDialog pool={pool} bookingSystem={bookingSystem} onClose={close} />
              )}
            />
          ) : null}
          {installation.status === 'pending' ? (
            <ConfirmButton
              label={texts.installations.approve}
              size="small"
              look="primary"
              title={texts.installations.approveTitle(bookingSystem)}
              lead={texts.installations.approveLead}
              change={() =>
                call('POST', '/v1/admin/pools/:pool/installations/:booking_system/approve', {
                  params: path,
                })
              }
              queryKey={queryKey}
              done={texts.installations.approved}
            />
          ) : null}
          {takesDocument ? (
            <ConfirmButton
              {...documentChange(bookingSystem)}
              size="small"
              change={() =>
                call('PATCH', '/v1/admin/pools/:pool/installations/:booking_system', {
                  params: path,
                  body: { shareDocument: !shareDocument },
                })
              }
              queryKey={queryKey}
            />
          ) : null}
          <ConfirmButton
            label={texts.installations.uninstall}
            size="small"
            title={texts.installations.uninstallTitle(bookingSystem)}
            lead={texts.installations.uninstallLead}
            isDangerous
            change={() =>
              call('DELETE', '/v1/admin/pools/:pool/installations/:booking_system', { params: path })
            }
            queryKey={queryKey}
            done={texts.installations.uninstalled}
          />
        </>
      }
    >
      {attention === undefined ? null : (
        <Notice tone="bad" title={texts.installations.attention}>
          {attention.reason} (<DateTime value={attention.since} style="relative" />)
        </Notice>
      )}
      {installation.status === 'pending' ? (
        <Notice tone="warning">{texts.installations.pendingHint}</Notice>
      ) : null}
      <Facts
        items={{
          [texts.installations.account]: String(accountId),
          [texts.installations.installedAt]: <DateTime value={installedAt} />,
          [texts.installations.environment]: installation.environment ?? undefined,
          [texts.bookingSystems.baseUrl]: installation.baseUrl ?? undefined,
          [texts.installations.webhooks]:
            webhooks === undefined ? undefined : <WebhookState webhooks={webhooks} />,
          [texts.installations.shares]: shareProperties.join(', ') || texts.installations.sharesNothing,
          [texts.installations.document]: takesDocument
            ? texts.installations.documentStates[shareDocument ? 'sent' : 'notSent']
            : undefined,
          [texts.installations.lastSuccess]: <DateTime value={lastSuccessAt} style="relative" />,
          [texts.installations.lastFailure]:
            lastFailure === undefined ? undefined : (
              <span>
                <DateTime value={lastFailure.at} style="relative" />:{' '}
                {lastFailure.status === undefined
                  ? texts.errorCodes(lastFailure.errorCode)
                  : texts.delivery.status(lastFailure.status)}
              </span>
            ),
        }}
      />
    </Item>
  );
}

const webhookTones = { registering: 'warning', registered: 'good', failing: 'bad' } as const;

/** Whether webhooks are registered at the vendor, and since when, or why not. */
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
