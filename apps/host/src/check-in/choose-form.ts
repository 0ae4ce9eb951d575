import type { PublishedForm } from '@waiver-service/forms';

/** Whether a form is for some activities. */
const isFor = ({ content }: PublishedForm, activities: readonly string[]) =>
  content.activities.some((activity) => activities.includes(activity));

/**
 * The form that guests of some activities sign: the oldest that names one of them, else the oldest for all.
 * @param forms the published forms of a pool, the oldest first
 */
export function chooseForm<Form extends PublishedForm>(
  forms: readonly Form[],
  activities: readonly string[],
): Form | undefined {
  return (
    forms.find((form) => isFor(form, activities)) ??
    forms.find(({ content }) => content.activities.length === 0)
  );
}
