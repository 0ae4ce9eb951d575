import { formLimits, type Page } from '@waiver-service/forms';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { bind, ChoiceField, choicesOf } from '../../components/field.tsx';
import { Card } from '../../components/layout.tsx';
import { fieldNames, formsTexts } from '../../text/english/forms.ts';
import { ConditionEditor } from './condition-editor.tsx';
import { type Block, itemsOf, moved } from './edit-content.ts';
import { ProblemLines, questionsAbove, RemoveTool, Tool, useEditing } from './editing.tsx';
import styles from './forms.module.css';
import { ItemEditor } from './item-editor.tsx';
import { TextFields } from './question-fields.tsx';

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
