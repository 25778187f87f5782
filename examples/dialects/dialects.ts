import type { SystemName } from '../record-store.js';
import { asyncCreate } from './async-create.js';
import type { Dialect } from './dialect.js';
import { hubspot } from './hubspot.js';
import { odata } from './odata.js';
import { odoo } from './odoo.js';
import { rest } from './rest.js';
import { salesforce } from './salesforce.js';
import { woocommerce } from './woocommerce.js';

export const DIALECT_NAMES = ['rest', 'async-create', 'odoo', 'odata', 'salesforce', 'woocommerce', 'hubspot'] as const;
export type DialectName = (typeof DIALECT_NAMES)[number];

export function dialectCalled(name: DialectName, system: SystemName): Dialect {
  const dialects: Record<DialectName, Dialect> = {
    rest: rest(system),
    'async-create': asyncCreate,
    odoo,
    odata,
    salesforce,
    woocommerce,
    hubspot,
  };
  return dialects[name];
}
