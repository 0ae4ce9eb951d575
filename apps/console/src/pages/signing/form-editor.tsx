import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { type FormContent, formLimits } from '@waiver-service/forms';
import { useEffect, useState } from 'react';
import { call } from '../../api/client.ts';
import type { FormDetail } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Card } from '../../components/layout.tsx';
import { Badge, Notice, ProblemNotice, useToast } from '../../components/notice.tsx';
import { formsTexts } from '../../text/english/forms.ts';
import { texts } from '../../text/english.ts';
import { newPage } from './edit-content.ts';
import { EditingContext, type PlacedProblem, ProblemList, placeProblems } from './editing.tsx';
import styles from './forms.module.css';
import { PageEditor } from './page-editor.tsx';
import { Preview } from './preview.tsx';
import { SettingsEditor } from './settings-editor.tsx';
import { type FormDraft, useDraft } from './use-draft.ts';

interface PublishButtonProps {
  readonly pool: string;
  readonly form: FormDetail;
  readonly draft: FormDraft;
  readonly problems: readonly PlacedProblem[];
  readonly onShow: (problem: PlacedProblem) => void;
}

/** Publishes the stored draft after a confirmation, or lists all problems that prevent it. */
function PublishButton({ pool, form, draft, problems, onShow }: PublishButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const queries = useQueryClient();
  const toast = useToast();
  // Save first, so that the problems reflect everything typed.
  const begin = useMutation({
    mutationFn: draft.flush,
    onSuccess: (revision) => setIsOpen(revision !== undefined),
  });
  const publish = useMutation({
    networkMode: 'always',
    async mutationFn() {
      const revision = await draft.flush();
      const { version } = await call('POST', '/v1/admin/pools/:pool/forms/:form/publish', {
        params: { pool, form: form.id },
        query: { revision },
      });
      await draft.afterPublishing();
      return version;
    },
    onSuccess(version) {
      setIsOpen(false);
      toast(`Version ${version} published.`);
      // Not awaited: the dialog would stay busy when it is opened again meanwhile.
      void queries.invalidateQueries();
    },
  });
  const isRefused = problems.length > 0;
  const canPublish = !isRefused && draft.isEdited;
  const leadOfEdited =
    form.published === null
      ? 'Guests sign it from now on. A published version never changes: later edits become the next one.'
      : `Guests sign the new version from now on. What they signed before ${
          draft.content.reuse === 'version' ? 'no longer counts' : 'stays valid'
        }.`;
  const lead = draft.isEdited ? leadOfEdited : 'Nothing was edited since the newest version.';
  const close = () => setIsOpen(false);
  return (
    <>
      <Button look="primary" isBusy={begin.isPending} onClick={() => begin.mutate()}>
        {formsTexts.publish}
      </Button>
      {isOpen ? (
        <Dialog
          onClose={close}
          title={isRefused ? 'It cannot be published yet' : 'Publish this form?'}
          lead={isRefused ? undefined : lead}
          closeLabel={canPublish ? texts.actions.cancel : texts.actions.close}
          isBusy={publish.isPending}
          action={
            !canPublish ? undefined : (
              <Button look="primary" isBusy={publish.isPending} onClick={() => publish.mutate()}>
                {formsTexts.publish}
              </Button>
            )
          }
        >
          {isRefused ? (
            <ProblemList
              content={draft.content}
              problems={problems}
              onShow={(problem) => {
                close();
                onShow(problem);
              }}
            />
          ) : null}
          <ProblemNotice error={publish.error} />
        </Dialog>
      ) : null}
    </>
  );
}

interface FormEditorProps {
  readonly pool: string;
  readonly form: FormDetail;
  readonly stored: FormContent;
  readonly isReadOnly: boolean;
  /** Reloads the stored form. */
  readonly onReload: () => void;
}

/** A form's pages and items, with a live preview of the check-in page. */
export function FormEditor({ pool, form, stored, isReadOnly, onReload }: FormEditorProps) {
  const draft = useDraft(pool, form, stored);
  const { content, change, checked } = draft;
  const [opened, open] = useState<string>();
  const [page, showPage] = useState<string>();
  const [isPreviewed, setIsPreviewed] = useState(false);
  const [target, setTarget] = useState<PlacedProblem>();
  const problems = placeProblems(checked.problems, checked.content);
  const show = (problem: PlacedProblem) => {
    open(problem.item);
    if (problem.page !== undefined) showPage(problem.page);
    setTarget(problem);
  };
  // In an effect: the item's fields exist only once it is expanded.
  useEffect(() => {
    if (target === undefined) return;
    const item = target.item === undefined ? null : document.getElementById(`item-${target.item}`);
    const place = item ?? document.getElementById(`page-${target.page ?? 'settings'}`);
    place?.scrollIntoView({ block: 'center' });
    place?.querySelector<HTMLElement>('button, input, select, textarea')?.focus({ preventScroll: true });
  }, [target]);
  return (
    <EditingContext value={{ content, change, problems, isReadOnly, opened, open, showPage }}>
      <LeaveGuard draft={draft} />
      {draft.saving === 'conflict' ? (
        <Notice tone="bad" title="Someone else has changed this form">
          <p>Your changes since then are on this page only. Choose which to keep.</p>
          <p className={styles.row}>
            <Button size="small" onClick={() => void draft.keepMine()}>
              Keep mine
            </Button>
            <Button
              size="small"
              onClick={() => {
                draft.drop();
                onReload();
              }}
            >
              Show theirs and discard mine
            </Button>
          </p>
        </Notice>
      ) : null}
      {draft.saving === 'failed' ? (
        <Notice
          tone="bad"
          title="Your last changes are not saved. They stay on this page, and saving is retried."
        >
          <p>{draft.error?.message}</p>
          <p>
            <Button size="small" onClick={() => void draft.flush()}>
              {texts.actions.tryAgain}
            </Button>
          </p>
        </Notice>
      ) : null}
      <div className={styles.editor}>
        <div className={styles.column}>
          <Card
            title="Before publishing"
            actions={
              <>
                {isReadOnly ? null : (
                  <span className={styles.row} role="status">
                    <Badge tone={draft.saving === 'saved' ? 'good' : 'warning'}>
                      {formsTexts.saving[draft.saving]}
                    </Badge>
                  </span>
                )}
                <span className={styles.onNarrow}>
                  <Button aria-pressed={isPreviewed} onClick={() => setIsPreviewed(!isPreviewed)}>
                    {isPreviewed ? 'Hide preview' : 'Show preview'}
                  </Button>
                </span>
                {isReadOnly ? null : (
                  <PublishButton pool={pool} form={form} draft={draft} problems={problems} onShow={show} />
                )}
              </>
            }
          >
            {problems.length === 0 ? (
              <p className="muted">Nothing keeps it from being published.</p>
            ) : (
              <ProblemList content={content} problems={problems} onShow={show} />
            )}
          </Card>
          <div className={isPreviewed ? styles.hiddenOnNarrow : styles.column}>
            <div id="page-settings">
              <SettingsEditor />
            </div>
            {content.pages.map((one, index) => (
              <div key={one.id} id={`page-${one.id}`}>
                <PageEditor page={one} index={index} />
              </div>
            ))}
            {isReadOnly || content.pages.length >= formLimits.pages ? null : (
              <p>
                <Button onClick={() => change((now) => ({ ...now, pages: [...now.pages, newPage()] }))}>
                  Add page
                </Button>
              </p>
            )}
          </div>
        </div>
        <div className={`${styles.side} ${isPreviewed ? styles.previewed : ''}`}>
          <Preview pool={pool} content={content} page={page} />
        </div>
      </div>
    </EditingContext>
  );
}

/** Saves when the page is left; asks for confirmation if that fails. */
function LeaveGuard({ draft }: { readonly draft: FormDraft }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: async () => draft.hasUnsaved() && (await draft.flush()) === undefined,
    enableBeforeUnload: () => draft.hasUnsaved(),
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Dialog
      onClose={reset}
      title="Leave this page?"
      lead="Your last changes could not be saved, and are lost if you leave."
      closeLabel={texts.actions.keepEditing}
      action={
        <Button
          look="danger"
          onClick={() => {
            draft.drop();
            proceed();
          }}
        >
          Leave
        </Button>
      }
    />
  );
}
