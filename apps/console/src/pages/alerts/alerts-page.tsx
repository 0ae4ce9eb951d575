import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { alertsQuery, dataOf, sentAlertsQuery } from '../../api/queries.ts';
import { type Alert, alertEvents } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Empty, Loading, Notice, ProblemNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { useChange } from '../../components/use-change.ts';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import styles from '../pools/pools.module.css';
import { AddAlert } from './add-alert.tsx';
import { SentAlerts } from './sent-alerts.tsx';

/** The recipients of alerts, and the alerts that were sent. */
export function AlertsPage() {
  const { data: alerts, error, refetch } = useQuery(alertsQuery);
  const sent = useQuery(sentAlertsQuery);
  const { may } = useSession();
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Page
      title={texts.pages.alerts}
      lead={texts.alerts.lead}
      actions={
        may('operator') ? (
          <Button look="primary" onClick={() => setIsAdding(true)}>
            {texts.alerts.add}
          </Button>
        ) : undefined
      }
    >
      <Card title={texts.alerts.receivers} isFlush>
        {error === null ? null : <ProblemNotice error={error} retry={() => void refetch()} />}
        {alerts === undefined && error === null ? <Loading /> : null}
        {alerts?.length === 0 ? <Empty title={texts.alerts.none}>{texts.alerts.noneHint}</Empty> : null}
        <ul className={styles.items}>
          {alerts?.map((alert) => (
            <AlertItem key={alert.id} alert={alert} />
          ))}
        </ul>
      </Card>
      <Card title={texts.alerts.sent} isFlush>
        {sent.error === null ? null : <ProblemNotice error={sent.error} />}
        {sent.data === undefined ? null : <SentAlerts sent={sent.data} />}
      </Card>
      <AddAlert isOpen={isAdding} onClose={() => setIsAdding(false)} />
    </Page>
  );
}

function AlertItem({ alert }: { readonly alert: Alert }) {
  const { id, name, url, email, events, pools, signing, status, consecutiveFailures } = alert;
  const { may } = useSession();
  const path = { id };
  const test = useMutation({
    mutationFn: () => dataOf(api.POST('/v1/admin/alerts/{id}/test', { params: { path } })),
  });
  const remove = useChange({
    change: () => api.DELETE('/v1/admin/alerts/{id}', { params: { path } }),
    queryKey: alertsQuery.queryKey,
    done: texts.webhooks.removed,
  });
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <span className={styles.title}>
          {name}
          {signing === true ? <Badge tone="good">{texts.webhooks.signed}</Badge> : null}
          {status === 'active' && consecutiveFailures === 0 ? null : (
            <Badge tone="bad">{texts.alerts.receiverFails}</Badge>
          )}
        </span>
        {may('operator') ? (
          <span className={styles.actions}>
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
              confirm={texts.actions.remove}
              isDangerous
              action={remove}
            />
          </span>
        ) : null}
      </div>
      <Facts
        items={[
          [texts.alerts.to, url ?? email ?? ''],
          [
            texts.alerts.events,
            events.length === alertEvents.length
              ? texts.alerts.everything
              : events.map((event) => texts.alertEvents[event]).join(', '),
          ],
          [texts.pages.pools, pools?.join(', ') ?? texts.shell.allPools],
        ]}
      />
      {test.error === null ? null : <ProblemNotice error={test.error} />}
      {test.data === undefined ? null : (
        <Notice tone={test.data.ok ? 'good' : 'bad'}>
          {test.data.ok ? texts.alerts.testWorks : texts.alerts.testFailed}{' '}
          {test.data.response ??
            (test.data.status === undefined
              ? texts.errorCodes(test.data.errorCode)
              : texts.delivery.status(test.data.status))}
        </Notice>
      )}
    </li>
  );
}
