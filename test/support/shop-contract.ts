import { join } from 'node:path';
import type { Contract, Settings } from '../../src/domain/contract/contract.js';
import { loadContract } from '../../src/platform/config/load-contract.js';

/** The credentials of the shop's systems and people, as `shop.yaml` names them. */
export const SHOP_SECRETS = {
  CRM_WEBHOOK_SECRET: `whsec_${Buffer.from('the-crm-signs-with-these-bytes-32').toString('base64')}`,
  CRM_API_KEY: 'crm-key-7f3a9b21c4',
  ERP_API_KEY: 'erp-key-5d1e8802aa',
  WMS_API_KEY: 'wms-key-90c4417be3',
  VIEWER_KEY: 'viewer-key-1a2b3c4d',
  OPERATOR_KEY: 'operator-key-5e6f7a8b',
  ADMIN_KEY: 'admin-key-9c0d1e2f',
} as const;

export const SHOP_FILE = join(process.cwd(), 'test', 'support', 'shop.yaml');

/** Nothing listens there: for suites in which nobody is called. */
const NOWHERE = 'http://127.0.0.1:9';

export interface ShopOptions {
  readonly erpUrl?: string;
  readonly wmsUrl?: string;
  /** Another contract of the same systems, with the same secrets. */
  readonly file?: string;
  /** Timings that differ from those of the file. */
  readonly settings?: Partial<Settings>;
}

export async function readShopContract({ erpUrl, wmsUrl, file, settings }: ShopOptions = {}): Promise<Contract> {
  const variables: Record<string, string> = {
    ...SHOP_SECRETS,
    ERP_URL: erpUrl ?? NOWHERE,
    WMS_URL: wmsUrl ?? NOWHERE,
  };
  const { contract } = await loadContract(file ?? SHOP_FILE, (name) => variables[name]);
  return { ...contract, settings: { ...contract.settings, ...settings } };
}
