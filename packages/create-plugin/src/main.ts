#!/usr/bin/env node
import { completeOptions } from './ask.ts';
import { createPlugin, nextSteps, readCommand, usage } from './command.ts';
import { OptionsError } from './options.ts';

try {
  const command = readCommand(process.argv.slice(2));
  if (command === undefined) console.log(usage);
  else {
    const options = command.mayAsk ? await completeOptions(command.options) : command.options;
    console.log(nextSteps(createPlugin(options, process.cwd()), process.versions.node));
  }
} catch (error) {
  // A question that was left by Ctrl-C.
  const isLeft = error instanceof Error && error.name === 'AbortError';
  if (!isLeft && !(error instanceof OptionsError)) throw error;
  if (!isLeft) console.error(`${error.message}\n\n${usage}`);
  process.exitCode = 2;
}
