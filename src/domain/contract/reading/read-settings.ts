import type { Settings } from '../contract.js';
import { readDurationMs } from './read-duration.js';
import type { Reading } from './reading.js';

const CAP_MS_DEFAULT = 3_600_000;
const LEASE_MS_DEFAULT = 60_000;
const SWEEP_MS_DEFAULT = 10_000;
const PARK_MS_DEFAULT = 86_400_000;

export function readSettings(reading: Reading): Settings {
  const settings = reading.root.at('settings');
  const retry = settings?.at('retry');
  return {
    retry: {
      maxRetry: retry?.at('max_retry')?.number() ?? 5,
      backoffBaseSeconds: retry?.at('backoff_base')?.number() ?? 1,
      backoffJitterMs: retry?.at('backoff_jitter')?.number() ?? 1000,
      capSeconds: readDurationMs(reading, retry?.at('cap'), CAP_MS_DEFAULT) / 1000,
    },
    leaseMs: readDurationMs(reading, settings?.at('lease'), LEASE_MS_DEFAULT),
    sweepEveryMs: readDurationMs(reading, settings?.at('sweep_every'), SWEEP_MS_DEFAULT),
    parkForMs: readDurationMs(reading, settings?.at('park_for'), PARK_MS_DEFAULT),
  };
}
