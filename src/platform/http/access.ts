import { SetMetadata, type CustomDecorator } from '@nestjs/common';
import type { Role } from '../../domain/contract/contract.js';

/**
 * Who may use a route: everybody, a system that sends (it shows its own credential on the raw bytes), people from a
 * role upward, or people from a role upward as well as systems for what is their own.
 */
export type AccessRule =
  | { readonly kind: 'public' }
  | { readonly kind: 'source' }
  | { readonly kind: 'role'; readonly role: Role }
  | { readonly kind: 'role_or_system'; readonly role: Role };

export const ACCESS_RULE = 'crosswalk:access';

/** Every route carries one; the service does not start while one is missing. */
export function Access(rule: AccessRule): CustomDecorator {
  return SetMetadata(ACCESS_RULE, rule);
}

export function roleReaches(held: Role, needed: Role): boolean {
  return RANK[held] >= RANK[needed];
}

const RANK: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, admin: 2 };
