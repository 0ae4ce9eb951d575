import { getRouteApi, Link } from '@tanstack/react-router';
import { bookingSystemQuery, bookingSystemsQuery } from '../../api/queries.ts';
import type { BookingSystemDetail, BookingSystemItem } from '../../api/resources.ts';
import { JsonView } from '../../components/copyable.tsx';
import { type Column, TableCard } from '../../components/data-table.tsx';
import { Card, Facts, Loaded, Page } from '../../components/layout.tsx';
import { Badge } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { InstallKeys, SettingsForm } from './settings.tsx';

const inboundKinds = { contract: 'As in the contract', native: 'Native', none: 'No' };

function ConfiguredBadge({ system }: { readonly system: Pick<BookingSystemItem, 'configured'> }) {
  return system.configured ? (
    <Badge tone="good">Configured</Badge>
  ) : (
    <Badge tone="warning">Not configured</Badge>
  );
}

const formsOf = ({ capabilities }: Pick<BookingSystemItem, 'capabilities'>) =>
  capabilities.forms.map((form) => texts.forms[form]).join(', ');

const columns: readonly Column<BookingSystemItem>[] = [
  {
    heading: texts.fields.name,
    cell: ({ installName, displayName }) => (
      <Link to="/booking-systems/$name" params={{ name: installName }}>
        {displayName}
      </Link>
    ),
    onCard: 'title',
  },
  { heading: texts.fields.state, cell: (system) => <ConfiguredBadge system={system} />, onCard: 'bare' },
  { heading: 'Tier', cell: ({ tier }) => texts.tier(tier) },
  { heading: 'Reads', cell: formsOf },
  {
    heading: 'Stores waivers in',
    cell: ({ capabilities }) => (capabilities.guestUpdate ? capabilities.takes.join(', ') : 'Reads only'),
  },
  { heading: 'Announces changes', cell: ({ capabilities }) => inboundKinds[capabilities.inbound] },
];

export function BookingSystemsPage() {
  return (
    <Page title={texts.pages.bookingSystems} lead="Booking systems that have a plugin installed.">
      <TableCard
        label={texts.pages.bookingSystems}
        columns={columns}
        query={bookingSystemsQuery}
        rowKey={({ installName }) => installName}
      />
    </Page>
  );
}

const route = getRouteApi('/booking-systems/$name');

export function BookingSystemPage() {
  const { name } = route.useParams();
  return <Loaded query={bookingSystemQuery(name)}>{(system) => <SystemView system={system} />}</Loaded>;
}

interface OfSystem {
  readonly system: BookingSystemDetail;
}

function SystemView({ system }: OfSystem) {
  const { may } = useSession();
  return (
    <Page title={system.displayName} lead={<ConfiguredBadge system={system} />}>
      <Card title="Capabilities">
        <Capabilities system={system} />
      </Card>
      {may('owner') ? (
        <>
          <SettingsForm system={system} />
          <InstallKeys name={system.installName} />
        </>
      ) : null}
    </Page>
  );
}

function Capabilities({ system }: OfSystem) {
  const { capabilities, baseUrl, authHeaderName, guestUpdateAuthHeaderName, statusMap, limits } = system;
  const yesOrNo = (value: boolean) => (value ? texts.actions.yes : texts.actions.no);
  return (
    <Facts
      items={{
        'Install name': <code>{system.installName}</code>,
        [texts.fields.baseUrl]: baseUrl ?? 'The vendor’s public address',
        Tier: texts.tier(system.tier),
        Reads: formsOf(system),
        'Guest Updates': yesOrNo(capabilities.guestUpdate),
        'Stores waivers in': capabilities.takes.join(', ') || undefined,
        'Removes voided waivers': yesOrNo(capabilities.void),
        'Announces changes': inboundKinds[capabilities.inbound],
        'Header for reading': authHeaderName ?? undefined,
        'Header for Guest Updates': guestUpdateAuthHeaderName ?? undefined,
        Statuses: statusMap ? <JsonView value={statusMap} label="Statuses" /> : undefined,
        Limits: <JsonView value={limits} label="Limits" />,
      }}
    />
  );
}
