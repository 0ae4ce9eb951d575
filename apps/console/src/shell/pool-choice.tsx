import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { poolsQuery } from '../api/queries.ts';
import { texts } from '../text/english.ts';
import styles from './pool-choice.module.css';

/** Which pool the pages are about. It stands in the address, so that a link shows the same to others. */
export function PoolChoice() {
  const { data: pools = [] } = useQuery(poolsQuery);
  const { pool } = useSearch({ strict: false });
  const navigate = useNavigate();
  return (
    <label className={styles.choice}>
      <span className="visually-hidden">{texts.shell.pool}</span>
      <select
        value={pool ?? ''}
        onChange={({ target }) =>
          void navigate({ to: '.', search: (search) => ({ ...search, pool: target.value || undefined }) })
        }
      >
        <option value="">{texts.shell.allPools}</option>
        {pools.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
