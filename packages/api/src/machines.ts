import { z } from 'zod';
import { route } from './route.ts';

const statusSchema = z.object({ status: z.literal('ok') });

export const health = route.get('/healthz', {
  config: { access: 'public' },
  operationId: 'health',
  tags: ['Machines'],
  summary: 'Whether the process is alive',
  response: { 200: statusSchema },
});

export const readiness = route.get('/readyz', {
  config: {
    access: 'public',
    problems: { 503: 'The host should receive no traffic; `message` says why.' },
  },
  operationId: 'readiness',
  tags: ['Machines'],
  summary:
    'Whether the host should receive traffic: the database is reachable, migrated and writable, and the host is not shutting down',
  response: { 200: statusSchema },
});

export const metrics = route.get('/metrics', {
  config: { access: 'public' },
  operationId: 'metrics',
  tags: ['Machines'],
  summary: 'Prometheus metrics, as text',
  response: { 200: z.string() },
});
