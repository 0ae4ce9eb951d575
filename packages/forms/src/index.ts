// Not from the package's index, which brings zod: pages in browsers import this.
export { nameKey } from '@waiver-service/core/name-key';
export { checkAnswer, countryCodes, isDrawn } from './check-items.ts';

export { checkPage, checkPeople, checkSigning, draftWaivers } from './check-signing.ts';

export { compareForms } from './compare-forms.ts';
export * from './content.ts';

export { ageOn, type SigningDay } from './day.ts';
export { type Participant, type SigningPeople, shownItems } from './evaluate.ts';
export { type FormTextBlock, type FormTextSpan, formText, parseFormText } from './form-text.ts';
export { formLimits, signingLimits } from './limits.ts';
export * from './names.ts';
export { formProblems } from './publishing/form-problems.ts';
export type { FormProblem } from './publishing/placed-items.ts';
export { loadSentences, preloadSentences, type Sentences } from './sentences/sentences.ts';
export * from './signing.ts';
export { validUntil } from './validity.ts';
