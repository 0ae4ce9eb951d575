import { count } from '../formats.ts';

/** Texts of pausing, resuming and testing a destination, loaded only with their page. */
export const destinationActionTexts = {
  pause: 'Pause',
  pauseOf: (name: string) => `Pause ${name}`,
  pauseLead:
    'Nothing is sent to it until someone resumes it. Its messages are kept. No alert is sent: the overview lists it as paused.',
  paused: (name: string) => `${name} is paused. Its messages are kept.`,
  resume: 'Resume',
  resumeOf: (name: string) => `Resume ${name}`,
  resumed: (name: string) => `${name} is resumed. Waiting messages are being sent.`,
  testOf: (name: string) => `Test ${name}`,
  testInstallation: 'Test…',
  testWorks: (name: string, ms: number) => `${name} accepted a sample guest record in ${count(ms)} ms.`,
  testFailed: (name: string, why: string) => `${name} did not accept a sample guest record: ${why}`,
} as const;
