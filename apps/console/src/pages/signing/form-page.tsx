import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { formQuery } from '../../api/queries.ts';
import type { FormDetail } from '../../api/resources.ts';
import { JsonView } from '../../components/copyable.tsx';
import { ConfirmButton } from '../../components/dialog.tsx';
import { Card, Loaded, Page } from '../../components/layout.tsx';
import { Notice } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { formsTexts } from '../../text/english/forms.ts';
import { isEditable } from './edit-content.ts';
import { FormEditor } from './form-editor.tsx';
import styles from './forms.module.css';
import { FormStates, StartWithTemplate } from './forms-page.tsx';

const route = getRouteApi('/forms/$pool/$form');

/** One form: operators edit it, viewers only see it. */
export function FormPage() {
  const { pool, form: id } = route.useParams();
  return (
    <Loaded query={formQuery(pool, id)}>{(form) => <FormView key={id} pool={pool} form={form} />}</Loaded>
  );
}

function FormView({ pool, form }: { readonly pool: string; readonly form: FormDetail }) {
  const { may } = useSession();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [reloads, setReloads] = useState(0);
  const isReadOnly = !may('operator') || form.archivedAt !== null;
  const reload = async () => {
    await queries.refetchQueries(formQuery(pool, form.id));
    setReloads((count) => count + 1);
  };
  return (
    <Page
      title={form.name}
      lead={
        <span className={styles.row}>
          <FormStates form={form} />
          <Link to="/forms/$pool/$form/versions" params={{ pool, form: form.id }}>
            {formsTexts.versions}
          </Link>
        </span>
      }
      actions={
        isReadOnly ? undefined : (
          <ConfirmButton
            isDangerous
            label="Archive"
            lead="It is no longer offered to guests and cannot be edited. Its versions are kept for what was signed."
            change={async () => {
              await call('DELETE', '/v1/admin/pools/:pool/forms/:form', { params: { pool, form: form.id } });
              await navigate({ to: '/forms', search: { pool } });
            }}
            done="Form archived."
          />
        )
      }
    >
      {form.archivedAt === null ? null : (
        <Notice>This form is archived: it is not offered to guests and cannot be edited.</Notice>
      )}
      {form.content === null ? (
        <StartWithTemplate pool={pool} form={form.id} onStarted={() => void reload()} />
      ) : isEditable(form.content) ? (
        <FormEditor
          key={reloads}
          pool={pool}
          form={form}
          stored={form.content}
          isReadOnly={isReadOnly}
          onReload={() => void reload()}
        />
      ) : (
        <Card title="This draft cannot be edited here">
          <p className="muted">
            It was stored through the API and is not a valid form. Store another one through the API.
          </p>
          <ul>
            {form.problems.map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                <code>{path}</code> {message}
              </li>
            ))}
          </ul>
          <JsonView label={formsTexts.draft} value={form.content} />
        </Card>
      )}
    </Page>
  );
}
