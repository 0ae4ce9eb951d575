export const count = (value: number) => value.toLocaleString('en');

export const plural = (value: number, one: string, many: string) =>
  `${count(value)} ${value === 1 ? one : many}`;
