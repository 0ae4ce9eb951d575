import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import type { FormDetail } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ProblemNotice } from '../../components/notice.tsx';
import { useToast } from '../../components/toasts.tsx';
import { formsTexts } from '../../text/english/forms.ts';
import { texts } from '../../text/english.ts';
import { ProblemList } from './problem-list.tsx';
import type { PlacedProblem } from './problems.ts';
import type { FormDraft } from './use-draft.ts';

interface PublishButtonProps {
  readonly pool: string;
  readonly form: FormDetail;
  readonly draft: FormDraft;
  readonly problems: readonly PlacedProblem[];
  readonly onShow: (problem: PlacedProblem) => void;
}

/** Publishes the stored draft after a confirmation, or lists all problems that prevent it. */
export function PublishButton({ pool, form, draft, problems, onShow }: PublishButtonProps) {
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
      toast(formsTexts.published(version));
      // Not awaited: the dialog would stay busy when it is opened again meanwhile.
      void queries.invalidateQueries();
    },
  });
  const isRefused = problems.length > 0;
  const canPublish = !isRefused && draft.isEdited;
  const lead = draft.isEdited
    ? formsTexts.publishLead(form.published === null, draft.content.reuse === 'version')
    : formsTexts.nothingToPublish;
  const close = () => setIsOpen(false);
  return (
    <>
      <Button look="primary" isBusy={begin.isPending} onClick={() => begin.mutate()}>
        {formsTexts.publish}
      </Button>
      {isOpen ? (
        <Dialog
          onClose={close}
          title={isRefused ? formsTexts.refusedTitle : formsTexts.publishTitle}
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
