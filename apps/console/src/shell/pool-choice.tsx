import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { poolsQuery } from '../api/queries.ts';
import { texts } from '../text/english.ts';
import styles from './pool-choice.module.css';

/** Chooses the pool, or names the only one. It is part of the URL, so that a shared link shows the same page. */
export function PoolChoice() {
  const { data: pools = [] } = useQuery(poolsQuery);
  const { pool } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [first, ...others] = pools;
  if (others.length === 0 && (pool === undefined || pool === first?.id)) {
    return <span className={styles.only}>{first?.name}</span>;
  }
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
