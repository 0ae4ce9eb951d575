import { count } from '../formats.ts';

export const plural = (value: number, one: string, many: string) =>
  `${count(value)} ${value === 1 ? one : many}`;
