import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { bookingSystemsQuery, installationsQuery } from '../../api/queries.ts';
import type { Installation } from '../../api/resources.ts';
import { DateTime } from '../../components/date-time.tsx';
import { ConfirmButton, DialogButton } from '../../components/dialog.tsx';
import { Facts, Item, ListCard } from '../../components/layout.tsx';
import { Badge, Notice } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import { AuthorizeDialog, CheckDialog, TestDialog } from './installation-dialogs.tsx';

export function Installations({ pool }: { readonly pool: string }) {
  return (
    <ListCard
      title="Booking systems"
      query={installationsQuery(pool)}
      none="No booking system is installed"
      noneHint="Bookings are read from it, and waivers written to it. It installs itself with an install key and this pool’s id."
      item={(installation) => (
        <InstallationItem key={installation.bookingSystem} pool={pool} installation={installation} />
      )}
    />
  );
}

function StatusBadge({ installation: { status, paused } }: { readonly installation: Installation }) {
  const shown = status === 'active' && paused ? 'paused' : status;
  return <Badge tone={shown === 'active' ? 'good' : 'warning'}>{texts.installationStatuses[shown]}</Badge>;
}

const sendDocument = (name: string) => ({
  label: 'Send documents',
  title: `Send signed documents to ${name}?`,
  lead: 'With each waiver signed on the check-in page, the booking system gets a PDF of everything that was signed together: signatures, photos and all answers, including those not shared, except health answers. Everyone who sees the booking there can open it, and it cannot be taken back.',
  done: 'Documents are sent from now on.',
});

const stopDocument = (name: string) => ({
  label: 'Stop sending documents',
  title: `Stop sending signed documents to ${name}?`,
  lead: 'Those that were sent stay in the booking system.',
  done: 'No more documents are sent.',
});

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
  const path = { pool, booking_system: bookingSystem };
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
            label="Check"
            size="small"
            dialog={(close) => <CheckDialog pool={pool} bookingSystem={bookingSystem} onClose={close} />}
          />
          {system?.authorizedInBrowser ? (
            <DialogButton
              label={attention === undefined ? 'Authorize' : 'Renew authorization'}
              size="small"
              look={attention === undefined ? 'plain' : 'primary'}
              dialog={(close) => (
                <AuthorizeDialog pool={pool} bookingSystem={bookingSystem} onClose={close} />
              )}
            />
          ) : null}
          {installation.status === 'pending' ? (
            <ConfirmButton
              label="Approve"
              size="small"
              look="primary"
              title={`Approve ${bookingSystem}?`}
              lead="Bookings will be read from it, and this pool’s waivers sent to it."
              change={() =>
                call('POST', '/v1/admin/pools/:pool/installations/:booking_system/approve', { params: path })
              }
              done="Approved."
            />
          ) : null}
          {takesDocument ? (
            <ConfirmButton
              size="small"
              {...(shareDocument ? stopDocument(bookingSystem) : sendDocument(bookingSystem))}
              change={() =>
                call('PATCH', '/v1/admin/pools/:pool/installations/:booking_system', {
                  params: path,
                  body: { shareDocument: !shareDocument },
                })
              }
            />
          ) : null}
          <ConfirmButton
            label="Uninstall"
            size="small"
            title={`Uninstall ${bookingSystem}?`}
            lead="Its keys are revoked at once, its account is erased, and waiting messages are cancelled. The waivers stay."
            isDangerous
            change={() =>
              call('DELETE', '/v1/admin/pools/:pool/installations/:booking_system', { params: path })
            }
            done="Uninstalled."
          />
        </>
      }
    >
      {attention === undefined ? null : (
        <Notice tone="bad" title="Authorization lost">
          {attention.reason} (<DateTime value={attention.since} style="relative" />)
        </Notice>
      )}
      {installation.status === 'pending' ? (
        <Notice tone="warning">Nothing is read or sent until it is approved.</Notice>
      ) : null}
      <Facts
        items={{
          Account: String(accountId),
          Installed: <DateTime value={installedAt} />,
          Environment: installation.environment ?? undefined,
          [texts.fields.baseUrl]: installation.baseUrl ?? undefined,
          'Webhooks at the vendor': webhooks === undefined ? undefined : <WebhookState webhooks={webhooks} />,
          'Shared answers': shareProperties.join(', ') || 'None',
          'Signed document': takesDocument
            ? shareDocument
              ? 'Sent, without health answers'
              : 'Not sent'
            : undefined,
          'Last Guest Update': <DateTime value={lastSuccessAt} style="relative" />,
          'Last failure':
            lastFailure === undefined ? undefined : (
              <span>
                <DateTime value={lastFailure.at} style="relative" />: {texts.resultOf(lastFailure)}
              </span>
            ),
        }}
      />
    </Item>
  );
}

const webhookBadges = {
  registering: <Badge tone="warning">Registering</Badge>,
  registered: <Badge tone="good">Registered</Badge>,
  failing: <Badge tone="bad">Registration failing</Badge>,
};

/** Whether webhooks are registered at the vendor, and since when, or why not. */
function WebhookState({ webhooks }: { readonly webhooks: NonNullable<Installation['webhooks']> }) {
  const { state, registeredAt, lastFailure } = webhooks;
  return (
    <>
      {webhookBadges[state]}{' '}
      {registeredAt === undefined ? null : (
        <span className="muted">
          Last confirmed <DateTime value={registeredAt} style="relative" />
        </span>
      )}
      {lastFailure === undefined || state === 'registered' ? null : (
        <p>
          <DateTime value={lastFailure.at} style="relative" />:{' '}
          {`${lastFailure.message} (${lastFailure.code}). It will be retried in the background.`}
        </p>
      )}
    </>
  );
}
