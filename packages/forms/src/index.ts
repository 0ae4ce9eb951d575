// Not from the package's index, which brings zod: pages in browsers import this.
export { nameKey } from '@waiver-service/core/name-key';
export { isDrawn } from './check-acts.ts';
export { checkAnswer } from './check-answer.ts';
export { checkPeople } from './check-people.ts';
export { checkPage, checkSigning, draftWaivers } from './check-signing.ts';
export { compareForms } from './compare-forms.ts';
export * from './content.ts';
export { countryCodes } from './countries.ts';
export { ageOn, validUntil } from './day.ts';
export { type Participant, type SigningPeople, shownItems } from './evaluate.ts';
export { formLimits, signingLimits } from './limits.ts';
export * from './names.ts';
export { type FormTextBlock, type FormTextSpan, parseFormText } from './parse-form-text.ts';
export { formProblems } from './publishing/form-problems.ts';
export type { FormProblem } from './publishing/placed-items.ts';
export { loadSentences, preloadSentences, type Sentences } from './sentences/sentences.ts';
export * from './signing.ts';
export { formText } from './text.ts';
