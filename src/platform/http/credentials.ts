import { Inject, Injectable } from '@nestjs/common';
import type { AccessKey, Contract, System } from '../../domain/contract/contract.js';
import { CONTRACT } from '../config/contract-token.js';
import { SecretList } from './secret.js';
import type { Incoming } from './exchange.js';

/** Access keys beside those of the contract: the one that the first start makes. */
export const FURTHER_ACCESS_KEYS = Symbol('FurtherAccessKeys');

/** Who stands behind a request, by what it shows: an access key, or a system's own api-key. */
@Injectable()
export class Credentials {
  private readonly accessKeys: readonly AccessKey[];
  private readonly accessSecrets: SecretList;
  private readonly apiKeys: readonly ApiKeyHeader[];

  constructor(@Inject(CONTRACT) contract: Contract, @Inject(FURTHER_ACCESS_KEYS) further: readonly AccessKey[]) {
    this.accessKeys = [...contract.accessKeys, ...further];
    this.accessSecrets = new SecretList(this.accessKeys.map(({ key }) => key));
    this.apiKeys = apiKeyHeaders(contract);
  }

  /** The access key in `Authorization: Bearer …`, or undefined. */
  accessKeyOf(request: Incoming): AccessKey | undefined {
    const shown = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    return shown === undefined ? undefined : this.accessKeys[this.accessSecrets.indexOf(shown)];
  }

  /** The system whose api-key the request shows, or undefined. Works without the body. */
  systemByApiKey(request: Incoming): System | undefined {
    for (const { header, systems, secrets } of this.apiKeys) {
      const shown = request.headers[header];
      const system = typeof shown === 'string' ? systems[secrets.indexOf(shown)] : undefined;
      if (system !== undefined) return system;
    }
    return undefined;
  }
}

/** One header in which systems show their api-keys; the lists line up. */
interface ApiKeyHeader {
  readonly header: string;
  readonly systems: readonly System[];
  readonly secrets: SecretList;
}

function apiKeyHeaders(contract: Contract): ApiKeyHeader[] {
  const held = [...contract.systems.values()].flatMap((system) =>
    (system.ingest?.auth ?? []).flatMap((auth) =>
      auth.scheme === 'api-key'
        ? auth.secrets.map((secret) => ({ header: auth.header.toLowerCase(), secret, system }))
        : [],
    ),
  );
  const headers = [...new Set(held.map(({ header }) => header))];
  return headers.map((header) => {
    const ofHeader = held.filter((key) => key.header === header);
    const secrets = new SecretList(ofHeader.map(({ secret }) => secret));
    return { header, systems: ofHeader.map(({ system }) => system), secrets };
  });
}
