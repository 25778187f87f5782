#!/usr/bin/env node
import { check } from './cli/check.js';

const HELP = `crosswalk: tools around the contract

  crosswalk check FILE                   find every mistake in a contract at once
  crosswalk contract migrate             show what the contract of CROSSWALK_CONFIG would change against the active
                                         one, and what is stored in the database that it contradicts
  crosswalk contract migrate --accept    the same, and make it the active contract
  crosswalk --help                       this text

Exit codes: 0 all is well, 1 the contract has mistakes or contradicts what is stored and was not accepted, 2 the command
could not be carried out.`;

process.exitCode = await run(process.argv.slice(2));

async function run(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  if (args.includes('--help') || args.includes('-h')) {
    console.log(HELP);
    return 0;
  }
  const [file] = rest;
  if (command === 'check' && file !== undefined && rest.length === 1) return await check(file, process.env, console);
  if (command === 'contract' && isMigrate(rest)) {
    // Only now, because everything around a database takes its time to load, and `check` runs at every save.
    const { migrateContract } = await import('./cli/migrate-contract.js');
    return await migrateContract({ accept: rest.includes('--accept') }, process.env, console);
  }
  const isKnown = command === undefined || command === 'check' || command === 'contract';
  console.error(isKnown ? HELP : `There is no command \`${command}\`.\n\n${HELP}`);
  return 2;
}

function isMigrate([subcommand, ...options]: readonly string[]): boolean {
  return subcommand === 'migrate' && options.length <= 1 && options.every((option) => option === '--accept');
}
