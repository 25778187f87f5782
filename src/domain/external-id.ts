import type { ExternalIdRules, NormalizeStep } from './contract/contract.js';

export const EXTERNAL_ID_LENGTH_MAX = 255;
/** With everything that normalisation takes away; the raw spelling is kept and goes into paths of the system. */
const RAW_LENGTH_MAX = 1024;

export type NormalizedExternalId =
  { readonly kind: 'id'; readonly externalId: string } | { readonly kind: 'unusable'; readonly problem: string };

/**
 * The spelling by which an id is compared. Every way in (webhook, envelope, batch, write-back, look-up) goes through
 * this one function; inner blanks and the case of letters belong to the id.
 */
export function normalizeExternalId(raw: string, rules: ExternalIdRules): NormalizedExternalId {
  if (raw.includes('\u0000')) return { kind: 'unusable', problem: 'contains NUL' };
  if (raw.length > RAW_LENGTH_MAX) return { kind: 'unusable', problem: `has ${String(raw.length)} characters` };
  const externalId = normalizeIdText(raw, rules);
  if (externalId === '') return { kind: 'unusable', problem: 'is empty' };
  // Characters are counted only where there could be too many: none takes less than one unit of a string.
  const length = externalId.length > EXTERNAL_ID_LENGTH_MAX ? [...externalId].length : externalId.length;
  if (length > EXTERNAL_ID_LENGTH_MAX) {
    return {
      kind: 'unusable',
      problem: `has ${String(length)} characters; at most ${String(EXTERNAL_ID_LENGTH_MAX)} are kept, and none is cut`,
    };
  }
  return { kind: 'id', externalId };
}

/** The steps alone, for text that may be an id. */
export function normalizeIdText(raw: string, rules: ExternalIdRules): string {
  let text = raw;
  for (const step of rules.normalize) text = STEPS[step](text);
  return text;
}

const STEPS: Readonly<Record<NormalizeStep, (text: string) => string>> = {
  trim: (text) => text.trim(),
  nfc: (text) => text.normalize('NFC'),
};
