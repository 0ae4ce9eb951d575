export { type GeneratorOptions, installNamePattern, type PluginChoices, resolveOptions } from './options.ts';
export { type PluginHome, renderPlugin } from './render-plugin.ts';
