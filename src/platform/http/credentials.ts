import { Inject, Injectable } from '@nestjs/common';
import type { AccessKey, Contract, System } from '../../domain/contract/contract.js';
import { CONTRACT } from '../config/contract-token.js';
import { KnownSecrets } from './known-secrets.js';
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
  private readonly passwords: Secrets;
  private readonly known: KnownSecrets;

  constructor(@Inject(CONTRACT) contract: Contract, @Inject(FURTHER_ACCESS_KEYS) further: readonly AccessKey[]) {
    this.accessKeys = [...contract.accessKeys, ...further];
    this.accessSecrets = new SecretList(this.accessKeys.map(({ key }) => key));
    this.apiKeys = apiKeyHeaders(contract);
    this.passwords = passwordsOf(contract);
    this.known = new KnownSecrets(contract, this.accessKeys);
  }

  /** The access key in `Authorization: Bearer …`, or undefined. */
  accessKeyOf(request: Incoming): AccessKey | undefined {
    return this.accessKeyBy(/^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]);
  }

  /** For pages that a browser opens: the key as a bearer token, or as the password of HTTP Basic with any user. */
  accessKeyOfBrowser(request: Incoming): AccessKey | undefined {
    const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(request.headers.authorization ?? '')?.[1];
    if (encoded === undefined) return this.accessKeyOf(request);
    return this.accessKeyBy(/^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8'))?.[1]);
  }

  /** A text to be kept, without any of the credentials that are accepted here. */
  withoutSecrets(text: string): string {
    return this.known.strikeOut(text);
  }

  /** As above, for JSON text, which stays JSON. */
  withoutSecretsInJson(text: string): string {
    return this.known.strikeOutOfJson(text);
  }

  /** The system whose own credential the request shows: its api-key, or its user and password. Works without the body. */
  systemOf(request: Incoming): System | undefined {
    for (const { header, systems, secrets } of this.apiKeys) {
      const shown = request.headers[header];
      const system = typeof shown === 'string' ? systems[secrets.indexOf(shown)] : undefined;
      if (system !== undefined) return system;
    }
    return this.systemByPassword(request.headers.authorization);
  }

  private accessKeyBy(shown: string | undefined): AccessKey | undefined {
    return shown === undefined ? undefined : this.accessKeys[this.accessSecrets.indexOf(shown)];
  }

  private systemByPassword(authorization: string | undefined): System | undefined {
    const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization ?? '')?.[1];
    if (encoded === undefined) return undefined;
    return this.passwords.systems[this.passwords.secrets.indexOf(Buffer.from(encoded, 'base64').toString('utf8'))];
  }
}

/** Secrets and whose they are; the lists line up. */
interface Secrets {
  readonly systems: readonly System[];
  readonly secrets: SecretList;
}

/** One header in which systems show their api-keys. */
interface ApiKeyHeader extends Secrets {
  readonly header: string;
}

/** `user:password`, as HTTP Basic writes them. */
function passwordsOf(contract: Contract): Secrets {
  const held = [...contract.systems.values()].flatMap((system) =>
    (system.ingest?.auth ?? []).flatMap((auth) =>
      auth.scheme === 'basic' ? auth.secrets.map((password) => ({ secret: `${auth.user}:${password}`, system })) : [],
    ),
  );
  return { systems: held.map(({ system }) => system), secrets: new SecretList(held.map(({ secret }) => secret)) };
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
