import {
  type AgreeItem,
  consentActs,
  formLimits,
  type Item,
  type SignItem,
  signMethods,
  type TextItem,
} from '@waiver-service/forms';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CheckList } from '../../components/check-list.tsx';
import { choicesOf } from '../../components/choices-of.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CheckField, ChoiceField, TextField } from '../../components/field.tsx';
import { FormButton } from '../../components/form-dialog.tsx';
import { formsTexts } from '../../text/english/forms.ts';
import { texts } from '../../text/english.ts';
import { ConditionEditor } from './condition-editor.tsx';
import { moveItem, renameItem, titleOf } from './edit-content.ts';
import { questionsAbove, useEditing } from './editing.ts';
import styles from './forms.module.css';
import { ProblemLines } from './problem-lines.tsx';
import { QuestionFields } from './question-fields.tsx';
import { TextFields } from './text-fields.tsx';

interface ItemEditorProps {
  readonly item: Item;
  readonly pageIndex: number;
  readonly index: number;
}

/** An item: a line that expands to its fields, and buttons to move it. */
export function ItemEditor({ item, pageIndex, index }: ItemEditorProps) {
  const { content, change, problems, isReadOnly, opened, open, showPage } = useEditing();
  const page = content.pages[pageIndex];
  const found = problems.filter((problem) => problem.item === item.id);
  const isOpen = opened === item.id;
  const title = titleOf(item, content.languages);
  const name = title || formsTexts.types[item.type];
  const setItem = (next: Item) =>
    change((now) => ({
      ...now,
      pages: now.pages.map((one, at) =>
        at === pageIndex ? { ...one, items: one.items.with(index, next) } : one,
      ),
    }));
  const remove = () =>
    change((now) => ({
      ...now,
      pages: now.pages.map((one, at) =>
        at === pageIndex ? { ...one, items: one.items.toSpliced(index, 1) } : one,
      ),
    }));
  const toggle = () => {
    open(isOpen ? undefined : item.id);
    if (page !== undefined) showPage(page.id);
  };
  return (
    <li className={styles.item} id={`item-${item.id}`}>
      <div className={styles.head}>
        <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={toggle}>
          <Badge>{formsTexts.types[item.type]}</Badge>
          <span className={title === '' ? 'muted' : ''}>{title || formsTexts.untitled}</span>
          {item.when === undefined ? null : <Badge>{formsTexts.conditional}</Badge>}
          {found.length === 0 ? null : <Badge tone="warning">{formsTexts.problemCount(found.length)}</Badge>}
        </button>
        {isReadOnly ? null : (
          <span className={styles.tools}>
            <Button
              size="small"
              look="quiet"
              aria-label={formsTexts.up(name)}
              onClick={() => change((now) => moveItem(now, pageIndex, index, -1))}
            >
              ↑
            </Button>
            <Button
              size="small"
              look="quiet"
              aria-label={formsTexts.down(name)}
              onClick={() => change((now) => moveItem(now, pageIndex, index, 1))}
            >
              ↓
            </Button>
            <ConfirmButton
              size="small"
              look="quiet"
              label="×"
              aria-label={formsTexts.remove(name)}
              title={formsTexts.remove(name)}
              confirm={texts.actions.remove}
              lead={formsTexts.removeItemLead}
              change={async () => remove()}
              queryKey={['none']}
            />
          </span>
        )}
      </div>
      {isOpen ? (
        <fieldset className={styles.body} disabled={isReadOnly}>
          <ProblemLines problems={found} />
          <ItemFields item={item} onChange={setItem} />
          <ConditionEditor
            when={item.when}
            above={questionsAbove(content, pageIndex, index)}
            onChange={(when) => setItem({ ...item, when })}
          />
          <IdField item={item} />
        </fieldset>
      ) : null}
    </li>
  );
}

interface FieldsProps<One extends Item = Item> {
  readonly item: One;
  readonly onChange: (item: One) => void;
}

function ItemFields({ item, onChange }: FieldsProps) {
  switch (item.type) {
    case 'text':
      return <ReadFields item={item} onChange={onChange} />;
    case 'agree':
      return <ConsentFields item={item} onChange={onChange} />;
    case 'sign':
      return <SignatureFields item={item} onChange={onChange} />;
    case 'ask':
      return <QuestionFields item={item} onChange={onChange} />;
  }
}

function ReadFields({ item, onChange }: FieldsProps<TextItem>) {
  return (
    <>
      <TextFields
        label={formsTexts.text}
        hint={formsTexts.markup}
        isLong
        maxLength={formLimits.text}
        text={item.text}
        onChange={(text) => onChange({ ...item, text })}
      />
      <CheckField
        label={formsTexts.initials}
        value={item.initials === true}
        onChange={(initials) => onChange({ ...item, initials: initials || undefined })}
      />
    </>
  );
}

function ConsentFields({ item, onChange }: FieldsProps<AgreeItem>) {
  return (
    <>
      <TextFields
        label={formsTexts.text}
        isLong
        maxLength={formLimits.text}
        text={item.text}
        onChange={(text) => onChange({ ...item, text })}
      />
      <div className={styles.fields}>
        <ChoiceField
          label={formsTexts.act}
          value={item.act}
          choices={choicesOf(consentActs, formsTexts.acts)}
          onChange={(act) => onChange({ ...item, act })}
        />
      </div>
      <CheckField
        label={formsTexts.requiredConsent}
        value={item.required}
        onChange={(required) => onChange({ ...item, required })}
      />
    </>
  );
}

function SignatureFields({ item, onChange }: FieldsProps<SignItem>) {
  return (
    <>
      <TextFields
        label={formsTexts.statement}
        isLong
        maxLength={formLimits.text}
        text={item.statement}
        onChange={(statement) => onChange({ ...item, statement })}
      />
      <div className={styles.fields}>
        <ChoiceField
          label={formsTexts.by}
          value={item.by}
          choices={choicesOf(['guest', 'guardian'], formsTexts.bys)}
          onChange={(by) => onChange({ ...item, by })}
        />
        <CheckList
          label={formsTexts.methods}
          value={item.methods}
          choices={choicesOf(signMethods, formsTexts.methodsOf)}
          onChange={(methods) => onChange({ ...item, methods })}
        />
      </div>
    </>
  );
}

function IdField({ item }: { readonly item: Item }) {
  const { change, open, isReadOnly } = useEditing();
  return (
    <div className={styles.row}>
      <span className="muted">{formsTexts.id}</span>
      <code>{item.id}</code>
      {isReadOnly ? null : (
        <FormButton
          size="small"
          look="quiet"
          title={formsTexts.changeId}
          lead={formsTexts.changeIdLead}
          initialDraft={{ id: item.id }}
          isComplete={({ id }) => /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(id)}
          submit={async ({ id }) => {
            change((now) => renameItem(now, item.id, id));
            open(id);
          }}
          queryKey={['none']}
        >
          {({ field }) => <TextField label={formsTexts.id} maxLength={64} {...field('id')} />}
        </FormButton>
      )}
    </div>
  );
}
