export * from './client-types.ts';
export * from './resources.ts';
