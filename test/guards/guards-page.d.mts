import type { GuardGroup } from './guards.mjs';

/** What docs/guards.md holds. */
export function guardsPage(groups: readonly GuardGroup[]): string;
