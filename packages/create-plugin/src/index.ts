export { completeOptions } from './ask.ts';
export { type GeneratorOptions, installNamePattern, type PluginChoices, resolveOptions } from './options.ts';
export { renderPlugin } from './render-plugin.ts';
