#!/usr/bin/env node
import { createPlugin, readCommand, usage } from './command.ts';
import { OptionsError } from './options.ts';

const neededNode = 24;

function nextSteps(folder: string): string {
  const { node } = process.versions;
  const tooOld = `\nIts tests need Node.js ${neededNode} or newer; this is ${node}.\n`;
  return `${folder} is there. Run this next:

  cd ${folder}
  npm install
  npm test
${Number.parseInt(node, 10) < neededNode ? tooOld : ''}`;
}

try {
  const options = readCommand(process.argv.slice(2));
  console.log(options === undefined ? usage : nextSteps(createPlugin(options, process.cwd())));
} catch (error) {
  if (!(error instanceof OptionsError)) throw error;
  console.error(`${error.message}\n\n${usage}`);
  process.exitCode = 2;
}
