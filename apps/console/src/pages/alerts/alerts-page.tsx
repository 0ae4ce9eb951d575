import { useMutation } from '@tanstack/react-query';
import { alertEvents } from '../../api/choices.ts';
import { call } from '../../api/client.ts';
import { alertsQuery, sentAlertsQuery } from '../../api/queries.ts';
import type { Alert, AlertEvent } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { SecretOnce } from '../../components/copyable.tsx';
import { ConfirmButton, FormButton } from '../../components/dialog.tsx';
import { CheckList, ChoiceField, choicesIn, choicesOf, TextField, wordsOf } from '../../components/field.tsx';
import { Card, Facts, Item, ListCard, Loaded, Page } from '../../components/layout.tsx';
import { PoolNames } from '../../components/names.tsx';
import { Badge, Notice, ProblemNotice } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';
import { type AuthDraft, AuthFields, authOf, emptyAuth } from '../integration/webhook-dialogs.tsx';
import { SentAlerts } from './sent-alerts.tsx';

type Way = 'webhook' | 'email';

interface Draft extends AuthDraft {
  readonly name: string;
  readonly way: Way;
  readonly url: string;
  readonly email: string;
  readonly events: readonly AlertEvent[];
  readonly pools: string;
}

const emptyDraft: Draft = {
  ...emptyAuth,
  name: '',
  way: 'webhook',
  url: 'https://',
  email: '',
  events: alertEvents,
  pools: '',
};

function bodyOf(draft: Draft) {
  const pools = wordsOf(draft.pools);
  return {
    name: draft.name.trim(),
    events: [...draft.events],
    ...(pools.length === 0 ? {} : { pools }),
    ...(draft.way === 'email'
      ? { email: draft.email.trim() }
      : { url: draft.url.trim(), auth: authOf(draft), signing: true }),
  };
}

function AddAlert() {
  return (
    <FormButton
      look="primary"
      title="Add alert"
      initialDraft={emptyDraft}
      submit={(draft) => call('POST', '/v1/admin/alerts', { body: bodyOf(draft) })}
      result={({ signingSecret }) => (
        <>
          <Notice tone="good">Alert added. Send a test to make sure it arrives.</Notice>
          {signingSecret && <SecretOnce secret={signingSecret} label={texts.webhooks.secret} />}
        </>
      )}
    >
      {({ draft, field }) => (
        <>
          <TextField
            label={texts.fields.name}
            hint="A name that people will recognize."
            required
            maxLength={200}
            {...field('name')}
          />
          <ChoiceField
            label="Channel"
            choices={choicesIn({ webhook: 'Webhook', email: 'Email' })}
            {...field('way')}
          />
          {draft.way === 'email' ? (
            <TextField label="Email address" type="email" required {...field('email')} />
          ) : (
            <>
              <TextField label="URL" type="url" required {...field('url')} />
              <AuthFields draft={draft} field={field} />
            </>
          )}
          <CheckList
            label="Events"
            choices={choicesOf(alertEvents, texts.alertEvents)}
            {...field('events')}
          />
          <TextField
            label={texts.pages.pools}
            hint="Pool ids, separated by commas. Leave empty for all pools and service faults."
            {...field('pools', 'pools[0]')}
          />
        </>
      )}
    </FormButton>
  );
}

export function AlertsPage() {
  const { may } = useSession();
  return (
    <Page
      title={texts.pages.alerts}
      lead="Notifies people and programs when something fails and when it recovers. The same event of one destination is sent at most once in 15 minutes."
      actions={may('operator') ? <AddAlert /> : undefined}
    >
      <ListCard
        title="Recipients"
        query={alertsQuery}
        none="No alerts"
        noneHint="Add one for each person who should know when messages fail to arrive."
        item={(alert) => <AlertItem key={alert.id} alert={alert} />}
      />
      <Card title="History" isFlush>
        <Loaded query={sentAlertsQuery}>{(sent) => <SentAlerts sent={sent} />}</Loaded>
      </Card>
    </Page>
  );
}

function AlertItem({ alert }: { readonly alert: Alert }) {
  const { id, name, url, email, events, pools, signing, status, consecutiveFailures } = alert;
  const path = { id };
  const test = useMutation({ mutationFn: () => call('POST', '/v1/admin/alerts/:id/test', { params: path }) });
  return (
    <Item
      title={
        <>
          {name}
          {signing === true ? <Badge tone="good">{texts.webhooks.signed}</Badge> : null}
          {status === 'active' && consecutiveFailures === 0 ? null : (
            <Badge tone="bad">Recipient failing</Badge>
          )}
        </>
      }
      actions={
        <>
          <Button
            size="small"
            aria-label={`Test ${name}`}
            isBusy={test.isPending}
            onClick={() => test.mutate()}
          >
            {texts.actions.test}
          </Button>
          <ConfirmButton
            label={texts.actions.remove}
            aria-label={`Remove ${name}`}
            size="small"
            title={`Remove ${name}`}
            lead="It sends no further alerts, and those that are waiting are cancelled."
            isDangerous
            change={() => call('DELETE', '/v1/admin/alerts/:id', { params: path })}
            done={texts.webhooks.removed}
          />
        </>
      }
    >
      <Facts
        items={{
          To: url ?? email ?? '',
          Events:
            events.length === alertEvents.length
              ? 'All events'
              : events.map((event) => texts.alertEvents[event]).join(', '),
          [texts.pages.pools]: pools === null ? texts.fields.allPools : <PoolNames ids={pools} />,
        }}
      />
      <ProblemNotice error={test.error} />
      {test.data === undefined ? null : (
        <Notice tone={test.data.ok ? 'good' : 'bad'}>
          {test.data.ok ? 'Test delivered:' : 'Test failed:'}{' '}
          {test.data.response ?? texts.resultOf(test.data)}
        </Notice>
      )}
    </Item>
  );
}
