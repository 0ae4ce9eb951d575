import { useBlocker } from '@tanstack/react-router';
import type { FormContent } from '@waiver-service/forms';
import { formLimits } from '@waiver-service/forms';
import { useEffect, useState } from 'react';
import type { FormDetail } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { formsTexts } from '../../text/english/forms.ts';
import { texts } from '../../text/english.ts';
import { newPage } from './edit-content.ts';
import { EditingContext } from './editing.ts';
import styles from './forms.module.css';
import { PageEditor } from './page-editor.tsx';
import { Preview } from './preview.tsx';
import { ProblemList } from './problem-list.tsx';
import { type PlacedProblem, placeProblems } from './problems.ts';
import { PublishButton } from './publish-button.tsx';
import { SettingsEditor } from './settings-editor.tsx';
import { type FormDraft, useDraft } from './use-draft.ts';

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
        <Notice tone="bad" title={formsTexts.conflict}>
          <p>{formsTexts.conflictLead}</p>
          <p className={styles.row}>
            <Button size="small" onClick={() => void draft.keepMine()}>
              {formsTexts.keepMine}
            </Button>
            <Button
              size="small"
              onClick={() => {
                draft.drop();
                onReload();
              }}
            >
              {formsTexts.takeTheirs}
            </Button>
          </p>
        </Notice>
      ) : null}
      {draft.saving === 'failed' ? (
        <Notice tone="bad" title={formsTexts.failed}>
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
            title={formsTexts.problems}
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
                    {isPreviewed ? formsTexts.hidePreview : formsTexts.showPreview}
                  </Button>
                </span>
                {isReadOnly ? null : (
                  <PublishButton pool={pool} form={form} draft={draft} problems={problems} onShow={show} />
                )}
              </>
            }
          >
            {problems.length === 0 ? (
              <p className="muted">{formsTexts.noProblems}</p>
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
                  {formsTexts.addPage}
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
      title={formsTexts.leave}
      lead={formsTexts.leaveLead}
      closeLabel={texts.actions.keepEditing}
      action={
        <Button
          look="danger"
          onClick={() => {
            draft.drop();
            proceed();
          }}
        >
          {formsTexts.leaveAnyway}
        </Button>
      }
    />
  );
}
