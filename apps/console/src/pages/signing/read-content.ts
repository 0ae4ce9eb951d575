import type { FormContent } from '@waiver-service/forms';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown) =>
  isFields(value) && Object.values(value).every((written) => typeof written === 'string');
const isListOf = (value: unknown, isEntry: (entry: unknown) => boolean) =>
  Array.isArray(value) && value.every(isEntry);
const isString = (value: unknown) => typeof value === 'string';
const isAbsentOr = (value: unknown, is: (value: unknown) => boolean) => value === undefined || is(value);

function isWhen(value: unknown): boolean {
  if (!isFields(value)) return false;
  const { answer, in: ids, ageBelow, activity, all, any, not } = value;
  if (answer !== undefined) return isString(answer) && isListOf(ids, isString);
  if (ageBelow !== undefined) return typeof ageBelow === 'number';
  if (activity !== undefined) return isListOf(activity, isString);
  if (all !== undefined || any !== undefined) return isListOf(all ?? any, isWhen);
  return isWhen(not);
}

const isOption = (value: unknown) => isFields(value) && isString(value.id) && isText(value.label);
const isFlag = (value: unknown) => isFields(value) && isListOf(value.on, isString) && isString(value.label);

function isItem(value: unknown): boolean {
  if (!isFields(value) || !isString(value.id) || !isAbsentOr(value.when, isWhen)) return false;
  switch (value.type) {
    case 'text':
    case 'agree':
      return isText(value.text);
    case 'sign':
      return isText(value.statement) && isListOf(value.methods, isString);
    case 'ask':
      return (
        isText(value.label) &&
        isAbsentOr(value.help, isText) &&
        isAbsentOr(value.options, (options) => isListOf(options, isOption)) &&
        isAbsentOr(value.flag, isFlag)
      );
    default:
      return false;
  }
}

const isPage = (value: unknown) =>
  isFields(value) &&
  isString(value.id) &&
  isText(value.title) &&
  isAbsentOr(value.when, isWhen) &&
  isListOf(value.items, isItem);

/**
 * Whether this editor can show a draft. The API stores any draft, and the host validates it; this checks only as much
 * as the editor needs.
 */
export const isEditable = (content: unknown): content is FormContent =>
  isFields(content) &&
  isListOf(content.languages, isString) &&
  isListOf(content.activities, isString) &&
  isFields(content.validity) &&
  isFields(content.people) &&
  isAbsentOr(content.guardian, isFields) &&
  isListOf(content.pages, isPage);
