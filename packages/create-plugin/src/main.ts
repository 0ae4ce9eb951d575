#!/usr/bin/env node
import { createPlugin, nextSteps, readCommand, usage } from './command.ts';
import { OptionsError } from './options.ts';

try {
  const options = readCommand(process.argv.slice(2));
  const output =
    options === undefined ? usage : nextSteps(createPlugin(options, process.cwd()), process.versions.node);
  console.log(output);
} catch (error) {
  if (!(error instanceof OptionsError)) throw error;
  console.error(`${error.message}\n\n${usage}`);
  process.exitCode = 2;
}
