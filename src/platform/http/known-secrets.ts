import type { AccessKey, Contract } from '../../domain/contract/contract.js';

/** Shorter texts stand in ordinary words as well. */
const LENGTH_MIN = 8;

/** Strikes out what people paste where it does not belong: every credential that we know, as it is spelt. */
export class KnownSecrets {
  private readonly secrets: readonly string[];

  constructor(contract: Contract, accessKeys: readonly AccessKey[]) {
    const auths = [...contract.systems.values()].flatMap(({ ingest }) => ingest?.auth ?? []);
    const spelt = auths.flatMap((auth) => (auth.scheme === 'signature' ? auth.keys.flatMap(spellings) : auth.secrets));
    const all = [...accessKeys.map(({ key }) => key), ...spelt].filter(({ length }) => length >= LENGTH_MIN);
    // A secret may begin with another one.
    this.secrets = all.sort((a, b) => b.length - a.length);
  }

  strikeOut(text: string): string {
    return this.secrets.reduce((struck, secret) => struck.replaceAll(secret, '***'), text);
  }
}

function spellings(key: Uint8Array): string[] {
  const bytes = Buffer.from(key);
  return [bytes.toString('utf8'), bytes.toString('base64')];
}
