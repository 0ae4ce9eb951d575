import {
  type AgreeItem,
  consentActs,
  formLimits,
  type Item,
  type Page,
  type SignItem,
  signMethods,
  type TextItem,
} from '@waiver-service/forms';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { FormButton } from '../../components/dialog.tsx';
import { bind, CheckField, CheckList, ChoiceField, choicesOf, TextField } from '../../components/field.tsx';
import { Card } from '../../components/layout.tsx';
import { Badge } from '../../components/notice.tsx';
import { fieldNames, formsTexts } from '../../text/english/forms.ts';
import { plural } from '../../text/formats.ts';
import { ConditionEditor } from './condition-editor.tsx';
import { type Block, itemsOf, moved, moveItem, renameItem, titleOf } from './edit-content.ts';
import { ProblemLines, questionsAbove, RemoveTool, Tool, useEditing } from './editing.tsx';
import styles from './forms.module.css';
import { QuestionFields, TextFields } from './question-fields.tsx';

const isBlock = (name: string): name is Block => Object.hasOwn(formsTexts.blocks, name);
const blocks = Object.keys(formsTexts.blocks).filter(isBlock);

/** A page of the form with its items. */
export function PageEditor({ page, index }: { readonly page: Page; readonly index: number }) {
  const { content, change, problems, isReadOnly, open, showPage } = useEditing();
  const name = formsTexts.page(index + 1);
  const setPage = (next: Page) => change((now) => ({ ...now, pages: now.pages.with(index, next) }));
  const [block, setBlock] = useState<Block>('question');
  const add = () => {
    const added = itemsOf(block, content);
    setPage({ ...page, items: [...page.items, ...added] });
    open(added[0]?.id);
    showPage(page.id);
  };
  const move = (by: 1 | -1) => change((now) => ({ ...now, pages: moved(now.pages, index, by) }));
  const count = content.pages.reduce((sum, { items }) => sum + items.length, 0);
  const isFull = page.items.length >= formLimits.itemsPerPage || count >= formLimits.items;
  return (
    <Card
      title={name}
      isFlush
      actions={
        isReadOnly ? undefined : (
          <>
            <Tool sign="↑" label={formsTexts.up(name)} onClick={() => move(-1)} />
            <Tool sign="↓" label={formsTexts.down(name)} onClick={() => move(1)} />
            {content.pages.length === 1 ? null : (
              <RemoveTool
                label={formsTexts.remove(name)}
                lead="Everything on it is removed, too. Published versions keep it."
                onRemove={() => change((now) => ({ ...now, pages: now.pages.toSpliced(index, 1) }))}
              />
            )}
          </>
        )
      }
    >
      <fieldset className={styles.body} disabled={isReadOnly} onFocus={() => showPage(page.id)}>
        <ProblemLines problems={problems.filter((one) => one.page === page.id && one.item === undefined)} />
        <TextFields label={fieldNames.title} maxLength={formLimits.label} {...bind(page, setPage)('title')} />
        <ConditionEditor
          when={page.when}
          above={questionsAbove(content, index)}
          onChange={(when) => setPage({ ...page, when })}
        />
      </fieldset>
      <ul className={styles.items}>
        {page.items.map((item, itemIndex) => (
          <ItemEditor
            key={`${item.id} ${page.items.findIndex(({ id }) => id === item.id) === itemIndex ? '' : itemIndex}`}
            item={item}
            pageIndex={index}
            index={itemIndex}
          />
        ))}
      </ul>
      {isReadOnly || isFull ? null : (
        <div className={styles.add}>
          <ChoiceField
            label={`Add to page ${index + 1}`}
            value={block}
            choices={choicesOf(blocks, formsTexts.blocks)}
            onChange={setBlock}
          />
          <Button onClick={add}>Add</Button>
        </div>
      )}
    </Card>
  );
}

interface ItemEditorProps {
  readonly item: Item;
  readonly pageIndex: number;
  readonly index: number;
}

/** An item: a line that expands to its fields, and buttons to move it. */
function ItemEditor({ item, pageIndex, index }: ItemEditorProps) {
  const { content, change, problems, isReadOnly, opened, open, showPage } = useEditing();
  const page = content.pages[pageIndex];
  const found = problems.filter((problem) => problem.item === item.id);
  const isOpen = opened === item.id;
  const title = titleOf(item, content.languages);
  const name = title || formsTexts.types[item.type];
  const setItems = (update: (items: Page['items']) => Page['items']) =>
    change((now) => ({
      ...now,
      pages: now.pages.map((one, at) => (at === pageIndex ? { ...one, items: update(one.items) } : one)),
    }));
  const setItem = (next: Item) => setItems((items) => items.with(index, next));
  const toggle = () => {
    open(isOpen ? undefined : item.id);
    if (page !== undefined) showPage(page.id);
  };
  return (
    <li className={styles.item} id={`item-${item.id}`}>
      <div className={styles.head}>
        <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={toggle}>
          <Badge>{formsTexts.types[item.type]}</Badge>
          <span className={title === '' ? 'muted' : ''}>{title || 'No text yet'}</span>
          {item.when === undefined ? null : <Badge>Conditional</Badge>}
          {found.length === 0 ? null : (
            <Badge tone="warning">{plural(found.length, 'problem', 'problems')}</Badge>
          )}
        </button>
        {isReadOnly ? null : (
          <span className={styles.tools}>
            <Tool
              sign="↑"
              label={formsTexts.up(name)}
              onClick={() => change((now) => moveItem(now, pageIndex, index, -1))}
            />
            <Tool
              sign="↓"
              label={formsTexts.down(name)}
              onClick={() => change((now) => moveItem(now, pageIndex, index, 1))}
            />
            <RemoveTool
              label={formsTexts.remove(name)}
              lead="Published versions keep it."
              onRemove={() => setItems((items) => items.toSpliced(index, 1))}
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
  const field = bind(item, onChange);
  return (
    <>
      <TextFields
        label={fieldNames.text}
        hint="Headings: # and ##. Lists: - or 1. Bold: **so**. No links, no HTML."
        isLong
        maxLength={formLimits.text}
        {...field('text')}
      />
      <CheckField
        label="Guests enter their initials below it"
        value={item.initials === true}
        onChange={(initials) => onChange({ ...item, initials: initials || undefined })}
      />
    </>
  );
}

function ConsentFields({ item, onChange }: FieldsProps<AgreeItem>) {
  const field = bind(item, onChange);
  return (
    <>
      <TextFields label={fieldNames.text} isLong maxLength={formLimits.text} {...field('text')} />
      <div className={styles.fields}>
        <ChoiceField
          label={fieldNames.act}
          choices={choicesOf(consentActs, formsTexts.acts)}
          {...field('act')}
        />
      </div>
      <CheckField label="Must be ticked" {...field('required')} />
    </>
  );
}

function SignatureFields({ item, onChange }: FieldsProps<SignItem>) {
  const field = bind(item, onChange);
  return (
    <>
      <TextFields label={fieldNames.statement} isLong maxLength={formLimits.text} {...field('statement')} />
      <div className={styles.fields}>
        <ChoiceField
          label="Signed by"
          choices={choicesOf(['guest', 'guardian'], formsTexts.bys)}
          {...field('by')}
        />
        <CheckList
          label="Ways to sign"
          choices={choicesOf(signMethods, formsTexts.methodsOf)}
          {...field('methods')}
        />
      </div>
    </>
  );
}

function IdField({ item }: { readonly item: Item }) {
  const { change, open, isReadOnly } = useEditing();
  return (
    <div className={styles.row}>
      <span className="muted">{fieldNames.id}</span>
      <code>{item.id}</code>
      {isReadOnly ? null : (
        <FormButton
          size="small"
          look="quiet"
          title="Change id"
          lead="Answers are stored under it. A published id keeps its meaning permanently: give a question with another meaning another id. Conditions follow."
          initialDraft={{ id: item.id }}
          isComplete={({ id }) => /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(id)}
          submit={async ({ id }) => {
            change((now) => renameItem(now, item.id, id));
            open(id);
          }}
          queryKey={['none']}
        >
          {({ field }) => <TextField label={fieldNames.id} maxLength={64} {...field('id')} />}
        </FormButton>
      )}
    </div>
  );
}
