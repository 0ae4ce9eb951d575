import { openTestStore as open } from '@waiver-service/store/testing';
import { onTestFinished } from 'vitest';
import { openAlertStore } from '../../src/data/alerts.ts';
import { alertsData } from '../../src/data/alerts-data.ts';

/** A store with alerts, closed and dropped when the test ends. */
export async function openTestStore() {
  const { store, ...opened } = await open({ features: [alertsData] });
  onTestFinished(opened.close);
  return { ...opened, store: openAlertStore(store) };
}
