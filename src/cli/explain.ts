import { readFile } from 'node:fs/promises';
import type { Contract } from '../domain/contract/contract.js';
import { examineContract } from '../domain/contract/examine-contract.js';
import { formatMistake } from '../domain/contract/format-mistake.js';
import { explainPayload, type ExplainedPayload, type Payload } from '../domain/explain/explain-payload.js';
import type { Explanation } from '../domain/explain/explain-event.js';
import { SyncError } from '../domain/sync-error.js';
import { webhookBody } from '../flow/ingest/webhook-body.js';
import { bodyText, parseJson } from '../platform/http/raw-body.js';
import type { Terminal } from './check.js';

export interface ExplainOptions {
  /** The payload: a webhook's body as it would be sent, or an envelope. */
  readonly file: string;
  readonly contract: string;
  /** Who would send it. */
  readonly system: string;
  readonly isEnvelope: boolean;
  /** `name: value`. */
  readonly headers: readonly string[];
  /** `name=value`. */
  readonly query: readonly string[];
}

/**
 * Prints what the payload in a file would be by the contract alone: event type, key, entity, strategy, and what may be
 * wrong with the key. Nothing is stored and nobody is asked. Returns the exit code: 0, 1 where a part of it would be
 * refused or kept unread, or the contract has mistakes, 2 where the command could not be carried out.
 */
export async function explain(
  options: ExplainOptions,
  environment: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): Promise<number> {
  try {
    const [text, bytes] = await Promise.all([readFile(options.contract, 'utf8'), readFile(options.file)]);
    const contract = readContract(text, options.contract, environment, terminal);
    if (contract === undefined) return 1;
    const source = contract.systems.get(options.system);
    if (source?.ingest === undefined) {
      terminal.error(`The contract has no system \`${options.system}\` that sends.`);
      return 2;
    }
    const nowMicros = BigInt(Date.now()) * 1000n;
    const reception = { contract, source, correlationId: 'explained', traceparent: undefined, nowMicros };
    const explained = explainPayload(payloadOf(bytes, options), reception);
    explained.forEach((item, index) => print(item, explained.length === 1 ? undefined : index, terminal));
    return explained.every(({ kind }) => kind === 'event' || kind === 'answered') ? 0 : 1;
  } catch (error) {
    if (error instanceof SyncError) terminal.log(`refused  ${error.code}: ${error.message}`);
    else terminal.error(error instanceof Error ? error.message : String(error));
    return error instanceof SyncError ? 1 : 2;
  }
}

/**
 * Variables need no values here, but for those that conditions compare with: without one the condition never holds,
 * which is said.
 */
function readContract(
  text: string,
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): Contract | undefined {
  const { contract, mistakes } = examineContract(text, (name) => environment[name]);
  const inTheWay = mistakes.filter(({ kind, path }) => kind === 'mistake' || /\.when[.[]/.test(path));
  for (const mistake of inTheWay) terminal.log(formatMistake(file, mistake));
  return contract;
}

function payloadOf(bytes: Buffer, { isEnvelope, headers, query }: ExplainOptions): Payload {
  if (isEnvelope) {
    const { value: envelope, sources: payloadSources } = parseJson(bodyText({ headers: {}, body: bytes }), 'payload');
    return { kind: 'envelope', input: { envelope, payloadSources, headerKey: undefined } };
  }
  const request = {
    headers: Object.fromEntries(headers.map((header) => pairOf(header, ':', (name) => name.toLowerCase()))),
    body: bytes,
  };
  const parameters = new URLSearchParams(query.map((parameter) => pairOf(parameter, '=')));
  return { kind: 'webhook', body: webhookBody(request, `?${parameters.toString()}`) };
}

function pairOf(text: string, mark: string, spell = (name: string): string => name): [string, string] {
  const at = text.indexOf(mark);
  if (at < 1) throw new Error(`\`${text}\` is written \`name${mark}value\`.`);
  return [spell(text.slice(0, at).trim()), text.slice(at + 1).trim()];
}

function print(item: ExplainedPayload, index: number | undefined, terminal: Terminal): void {
  if (index !== undefined) terminal.log(`${index === 0 ? '' : '\n'}element ${String(index)}`);
  for (const [name, value] of linesOf(item)) terminal.log(`${name.padEnd(16)} ${value}`);
}

function linesOf(item: ExplainedPayload): readonly (readonly [string, string])[] {
  switch (item.kind) {
    case 'event':
      return eventLines(item.explanation);
    case 'answered':
      return [['answered', `${String(item.status)} ${item.text}`]];
    case 'refused':
    case 'unmatched':
      return [[item.kind, `${item.code}${item.at === undefined ? '' : ` at ${item.at}`}: ${item.detail}`]];
  }
}

function eventLines(explanation: Explanation): readonly (readonly [string, string])[] {
  const { system, type, external_id: id } = explanation.entity;
  const optional = (name: string, value: string | undefined): readonly (readonly [string, string])[] =>
    value === undefined ? [] : [[name, value]];
  return [
    ['event type', explanation.event_type],
    ['idempotency key', explanation.idempotency_key],
    ['unique within', explanation.scope],
    ['entity', `${type} \`${id}\` of ${system}`],
    ...optional('version', explanation.version),
    ...optional('occurred at', explanation.occurred_at),
    ['strategy', `${explanation.strategy}, ordered by ${explanation.order_by}`],
    ...optional('moves to', movesTo(explanation)),
    ['delivered to', explanation.deliver_to.join(', ') || 'nobody'],
    ['verdict', 'accepted, unless the key was used before (POST /v1/keys/explain knows)'],
    ...explanation.warnings.map(({ kind, message }): readonly [string, string] => ['warning', `${kind}: ${message}`]),
  ];
}

function movesTo({ state, expected_current_state: expected }: Explanation): string | undefined {
  return state === undefined || expected === undefined ? state : `${state}, expected to be in ${expected}`;
}
