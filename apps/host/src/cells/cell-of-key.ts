const keyOfCell = /^ws[a-z]_([a-z][a-z0-9-]{0,30})\.[A-Za-z0-9_-]{43}$/;

/** The name of the cell that a key was created in; undefined if it has none. */
export const cellOfKey = (key: string): string | undefined => keyOfCell.exec(key)?.[1];
