import type { NormalizeStep } from '../contract.js';
import type { Place } from './place.js';

/** All that are known, and what holds where the file says nothing. */
const NORMALIZE_STEPS: readonly NormalizeStep[] = ['trim', 'nfc'];

/** How a system's ids are spelt before they are compared, by its `external_ids`; steps that are not known are left out. */
export function readNormalize(externalIds: Place | undefined): readonly NormalizeStep[] {
  const steps = externalIds?.at('normalize');
  if (steps === undefined) return NORMALIZE_STEPS;
  return steps.items().flatMap((item) => NORMALIZE_STEPS.find((step) => step === item.text()) ?? []);
}
