import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { bookingSystemQuery } from '../../api/queries.ts';
import type { BookingSystemDetail } from '../../api/resources.ts';
import { JsonView } from '../../components/copyable.tsx';
import { Card, Facts, Loaded, Page } from '../../components/layout.tsx';
import { Badge } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { InstallKeys, SettingsForm } from './settings.tsx';

const route = getRouteApi('/booking-systems/$name');

export function BookingSystemPage() {
  const { name } = route.useParams();
  const query = useQuery(bookingSystemQuery(name));
  return <Loaded query={query}>{(system) => <SystemView system={system} />}</Loaded>;
}

interface OfSystem {
  readonly system: BookingSystemDetail;
}

function SystemView({ system }: OfSystem) {
  const { may } = useSession();
  return (
    <Page
      title={system.displayName}
      lead={
        system.configured ? (
          <Badge tone="good">{texts.bookingSystems.configured}</Badge>
        ) : (
          <Badge tone="warning">{texts.bookingSystems.notConfigured}</Badge>
        )
      }
    >
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
        [texts.bookingSystems.baseUrl]: baseUrl ?? 'The vendor’s public address',
        [texts.bookingSystems.reads]: capabilities.forms.map((form) => texts.forms[form]).join(', '),
        'Guest Updates': yesOrNo(capabilities.guestUpdate),
        [texts.bookingSystems.takes]: capabilities.takes.join(', ') || undefined,
        'Removes voided waivers': yesOrNo(capabilities.void),
        [texts.bookingSystems.inbound]: texts.bookingSystems.inboundKinds[capabilities.inbound],
        'Header for reading': authHeaderName ?? undefined,
        'Header for Guest Updates': guestUpdateAuthHeaderName ?? undefined,
        [texts.bookingSystems.statuses]:
          statusMap === undefined || statusMap === null ? undefined : (
            <JsonView value={statusMap} label={texts.bookingSystems.statuses} />
          ),
        [texts.bookingSystems.limits]: <JsonView value={limits} label={texts.bookingSystems.limits} />,
      }}
    />
  );
}
