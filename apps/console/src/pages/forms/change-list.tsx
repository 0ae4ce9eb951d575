import type { FormContent } from '@waiver-service/forms';
import { Badge, type Tone } from '../../components/badge.tsx';
import { formsTexts } from '../../text/english/forms.ts';
import { titleOf } from './edit-content.ts';
import { formChanges, type PartChange } from './form-changes.ts';
import styles from './forms.module.css';
import { fieldName } from './problems.ts';

interface ChangeListProps {
  readonly former: FormContent;
  readonly next: FormContent;
}

const toneOf: Readonly<Record<PartChange['change'], Tone>> = {
  added: 'good',
  removed: 'bad',
  changed: 'warning',
  moved: 'neutral',
};

const shownValue = (value: unknown) =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

/** The differences between two versions, item by item. */
export function ChangeList({ former, next }: ChangeListProps) {
  const changes = formChanges(former, next);
  if (changes.length === 0) return <p className="muted">{formsTexts.noChanges}</p>;
  const nameOf = ({ kind, id, item }: PartChange) => {
    if (kind === 'settings') return formsTexts.settings;
    if (item !== undefined) return titleOf(item, next.languages) || formsTexts.types[item.type];
    const index = next.pages.findIndex((page) => page.id === id);
    return index === -1 ? id : formsTexts.page(index + 1);
  };
  return (
    <ul className={styles.changes}>
      {changes.map((part) => (
        <li key={`${part.kind} ${part.id}`}>
          <p className={styles.row}>
            <strong>{nameOf(part)}</strong>
            <Badge tone={toneOf[part.change]}>{formsTexts.changed[part.change]}</Badge>
            {part.kind === 'settings' ? null : <code>{part.id}</code>}
          </p>
          <dl>
            {part.fields.map(({ field, former: before, next: after }) => (
              <div key={field}>
                <dt>{fieldName(field)}</dt>
                <dd>
                  {before === undefined ? null : <del>{shownValue(before)}</del>}
                  {after === undefined ? null : <ins>{shownValue(after)}</ins>}
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}
