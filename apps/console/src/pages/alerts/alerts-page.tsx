import { useMutation, useQuery } from '@tanstack/react-query';
import { alertEvents } from '../../api/choices.ts';
import { call } from '../../api/client.ts';
import { alertsQuery, sentAlertsQuery } from '../../api/queries.ts';
import type { Alert } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmButton } from '../../components/dialog.tsx';
import { Card, Facts, Item, ListCard, Loaded, Page } from '../../components/layout.tsx';
import { PoolNames } from '../../components/names.tsx';
import { Badge, Notice, ProblemNotice } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { AddAlert } from './add-alert.tsx';
import { SentAlerts } from './sent-alerts.tsx';

export function AlertsPage() {
  const alerts = useQuery(alertsQuery);
  const sent = useQuery(sentAlertsQuery);
  const { may } = useSession();
  return (
    <Page
      title={texts.pages.alerts}
      lead={texts.alerts.lead}
      actions={may('operator') ? <AddAlert /> : undefined}
    >
      <ListCard
        title={texts.alerts.receivers}
        query={alerts}
        none={texts.alerts.none}
        noneHint={texts.alerts.noneHint}
        item={(alert) => <AlertItem key={alert.id} alert={alert} />}
      />
      <Card title={texts.alerts.sent} isFlush>
        <Loaded query={sent}>{(alertsSent) => <SentAlerts sent={alertsSent} />}</Loaded>
      </Card>
    </Page>
  );
}

function AlertItem({ alert }: { readonly alert: Alert }) {
  const { id, name, url, email, events, pools, signing, status, consecutiveFailures } = alert;
  const path = { id };
  const test = useMutation({
    mutationFn: () => call('POST', '/v1/admin/alerts/:id/test', { params: path }),
  });
  return (
    <Item
      title={
        <>
          {name}
          {signing === true ? <Badge tone="good">{texts.webhooks.signed}</Badge> : null}
          {status === 'active' && consecutiveFailures === 0 ? null : (
            <Badge tone="bad">{texts.alerts.receiverFails}</Badge>
          )}
        </>
      }
      actions={
        <>
          <Button
            size="small"
            aria-label={texts.alerts.testOf(name)}
            isBusy={test.isPending}
            onClick={() => test.mutate()}
          >
            {texts.actions.test}
          </Button>
          <ConfirmButton
            label={texts.actions.remove}
            aria-label={texts.alerts.removeOf(name)}
            size="small"
            title={texts.alerts.removeOf(name)}
            lead={texts.alerts.removeLead}
            isDangerous
            change={() => call('DELETE', '/v1/admin/alerts/:id', { params: path })}
            done={texts.webhooks.removed}
          />
        </>
      }
    >
      <Facts
        items={{
          [texts.alerts.to]: url ?? email ?? '',
          [texts.alerts.events]:
            events.length === alertEvents.length
              ? texts.alerts.everything
              : events.map((event) => texts.alertEvents[event]).join(', '),
          [texts.pages.pools]: pools === null ? texts.shell.allPools : <PoolNames ids={pools} />,
        }}
      />
      <ProblemNotice error={test.error} />
      {test.data === undefined ? null : (
        <Notice tone={test.data.ok ? 'good' : 'bad'}>
          {test.data.ok ? texts.alerts.testWorks : texts.alerts.testFailed}{' '}
          {test.data.response ??
            (test.data.status === undefined
              ? texts.errorCodes(test.data.errorCode)
              : texts.delivery.status(test.data.status))}
        </Notice>
      )}
    </Item>
  );
}
