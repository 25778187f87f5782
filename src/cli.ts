#!/usr/bin/env node
import { check } from './cli/check.js';

const HELP = `crosswalk: tools around the contract

  crosswalk check FILE    find every mistake in a contract at once
  crosswalk --help        this text

Exit codes: 0 all is well, 1 the contract has mistakes, 2 the command could not be carried out.`;

process.exitCode = await run(process.argv.slice(2));

async function run(args: readonly string[]): Promise<number> {
  const [command, file, ...rest] = args;
  if (args.includes('--help') || args.includes('-h')) {
    console.log(HELP);
    return 0;
  }
  if (command === 'check' && file !== undefined && rest.length === 0) return await check(file, process.env, console);
  console.error(command === undefined || command === 'check' ? HELP : `There is no command \`${command}\`.\n\n${HELP}`);
  return 2;
}
