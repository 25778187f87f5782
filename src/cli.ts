#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { check } from './cli/check.js';

const HELP = `crosswalk: tools around the contract

  crosswalk check FILE                   find every mistake in a contract at once
  crosswalk explain FILE --system NAME   say what a payload would be: event type, key, entity, strategy, and what may be
                                         wrong with the key. FILE is a webhook's body as it would be sent, or with
                                         --envelope what would go to /v1/events
      --header 'name: value'             what rules read beside the body; may stand several times
      --query name=value
      --contract FILE                    instead of that of CROSSWALK_CONFIG or config/crosswalk.yaml
  crosswalk contract migrate             show what the contract of CROSSWALK_CONFIG would change against the active
                                         one, and what is stored in the database that it contradicts
  crosswalk contract migrate --accept    the same, and make it the active contract
  crosswalk --help                       this text

Exit codes: 0 all is well; 1 the contract has mistakes, contradicts what is stored and was not accepted, or would make no
event of the payload; 2 the command could not be carried out.`;

process.exitCode = await run(process.argv.slice(2));

async function run(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  if (args.includes('--help') || args.includes('-h')) {
    console.log(HELP);
    return 0;
  }
  const [file] = rest;
  if (command === 'check' && file !== undefined && rest.length === 1) return await check(file, process.env, console);
  if (command === 'explain') return await runExplain(rest);
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

async function runExplain(args: readonly string[]): Promise<number> {
  const options = explainOptions(args);
  if (typeof options === 'string') {
    console.error(`${options}\n\n${HELP}`);
    return 2;
  }
  // Only now, because what reads bodies takes its time to load, and `check` runs at every save.
  const { explain } = await import('./cli/explain.js');
  return await explain(options, process.env, console);
}

/** The options, or what is wrong with them. */
function explainOptions(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        system: { type: 'string' },
        contract: { type: 'string', default: process.env['CROSSWALK_CONFIG'] ?? 'config/crosswalk.yaml' },
        header: { type: 'string', multiple: true, default: [] },
        query: { type: 'string', multiple: true, default: [] },
        envelope: { type: 'boolean', default: false },
      },
    });
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) return 'Name one file with a payload.';
    if (values.system === undefined) return 'Say with --system who would send it.';
    const { system, contract, header: headers, query, envelope: isEnvelope } = values;
    return { file, system, contract, headers, query, isEnvelope };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
