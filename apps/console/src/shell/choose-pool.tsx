import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { poolsQuery } from '../api/queries.ts';
import { Card } from '../components/layout.tsx';
import { Empty, Loading, ProblemNotice } from '../components/notice.tsx';
import { texts } from '../text/english.ts';
import styles from './shell.module.css';

/** Asks for a pool on pages that need one; chooses it automatically if there is only one. */
export function ChoosePool() {
  const { data: pools, error } = useQuery(poolsQuery);
  if (error !== null) return <ProblemNotice error={error} />;
  if (pools === undefined) return <Loading />;
  const [first, ...others] = pools;
  if (first !== undefined && others.length === 0) {
    return <Navigate to="." search={(search) => ({ ...search, pool: first.id })} replace />;
  }
  return (
    <Card title="Choose a pool">
      {pools.length === 0 ? (
        <Empty title={texts.pools.none}>{texts.pools.noneHint}</Empty>
      ) : (
        <ul className={styles.list}>
          {pools.map(({ id, name }) => (
            <li key={id}>
              <Link to="." search={(search) => ({ ...search, pool: id })}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
