import type { AccessKey, Contract } from '../../domain/contract/contract.js';
import { isJsonArray, isJsonObject, type Json } from '../../domain/json/json.js';
import { readStoredJson } from '../../domain/json/read-json.js';
import { writeJson } from '../../domain/json/write-json.js';

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
    this.secrets = [...new Set(all.flatMap((secret) => [secret, inPointer(secret)]))].sort(
      (a, b) => b.length - a.length,
    );
  }

  strikeOut(text: string): string {
    return this.secrets.reduce((struck, secret) => struck.replaceAll(secret, '***'), text);
  }

  /** The same JSON without secrets in its strings and names. A number stays: without some of its digits it is none. */
  strikeOutOfJson(text: string): string {
    return writeJson(this.struck(readStoredJson(text)));
  }

  private struck(value: Json): Json {
    if (typeof value === 'string') return this.strikeOut(value);
    if (isJsonArray(value)) return value.map((item) => this.struck(item));
    if (!isJsonObject(value)) return value;
    const members = new Map<string, Json>();
    for (const [name, member] of value) {
      let kept = this.strikeOut(name);
      // Names that differed in their secrets only stay apart.
      while (members.has(kept) || (kept !== name && value.has(kept))) kept += '*';
      members.set(kept, this.struck(member));
    }
    return members;
  }
}

/** As it stands in a JSON pointer (RFC 6901 §3), which is how a change names its place. */
function inPointer(secret: string): string {
  return secret.replaceAll('~', '~0').replaceAll('/', '~1');
}

function spellings(key: Uint8Array): string[] {
  const bytes = Buffer.from(key);
  const base64 = bytes.toString('base64');
  return [bytes.toString('utf8'), base64, base64.replace(/=+$/, '')];
}
