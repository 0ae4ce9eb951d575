import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { bookingSystemQuery } from '../../api/queries.ts';
import type { BookingSystemDetail } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Facts } from '../../components/facts.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { InstallKeys } from './install-keys.tsx';
import { SettingsForm } from './settings-form.tsx';

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
      <Card title={texts.bookingSystems.capabilities}>
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
        [texts.bookingSystems.installName]: <code>{system.installName}</code>,
        [texts.bookingSystems.baseUrl]: baseUrl ?? texts.bookingSystems.publicAddress,
        [texts.bookingSystems.reads]: capabilities.forms.map((form) => texts.forms[form]).join(', '),
        [texts.bookingSystems.guestUpdate]: yesOrNo(capabilities.guestUpdate),
        [texts.bookingSystems.takes]: capabilities.takes.join(', ') || undefined,
        [texts.bookingSystems.void]: yesOrNo(capabilities.void),
        [texts.bookingSystems.inbound]: texts.bookingSystems.inboundKinds[capabilities.inbound],
        [texts.bookingSystems.header]: authHeaderName ?? undefined,
        [texts.bookingSystems.guestUpdateHeader]: guestUpdateAuthHeaderName ?? undefined,
        [texts.bookingSystems.statuses]:
          statusMap === undefined || statusMap === null ? undefined : (
            <JsonView value={statusMap} label={texts.bookingSystems.statuses} />
          ),
        [texts.bookingSystems.limits]: <JsonView value={limits} label={texts.bookingSystems.limits} />,
      }}
    />
  );
}
