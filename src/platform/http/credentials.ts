import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { AccessKey, Contract, System } from '../../domain/contract/contract.js';
import { CONTRACT } from '../config/contract-token.js';
import { indexOfSecret } from './secret.js';

/** Access keys beside those of the contract: the one that the first start makes. */
export const FURTHER_ACCESS_KEYS = Symbol('FurtherAccessKeys');

/** Who stands behind a request, by what it shows: an access key, or a system's own api-key. */
@Injectable()
export class Credentials {
  private readonly accessKeys: readonly AccessKey[];
  private readonly apiKeys: readonly { readonly header: string; readonly secret: string; readonly system: System }[];

  constructor(@Inject(CONTRACT) contract: Contract, @Inject(FURTHER_ACCESS_KEYS) further: readonly AccessKey[]) {
    this.accessKeys = [...contract.accessKeys, ...further];
    this.apiKeys = [...contract.systems.values()].flatMap((system) =>
      (system.ingest?.auth ?? []).flatMap((auth) =>
        auth.scheme === 'api-key'
          ? auth.secrets.map((secret) => ({ header: auth.header.toLowerCase(), secret, system }))
          : [],
      ),
    );
  }

  /** The access key in `Authorization: Bearer …`, or undefined. */
  accessKeyOf(request: FastifyRequest): AccessKey | undefined {
    const shown = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (shown === undefined) return undefined;
    return this.accessKeys[
      indexOfSecret(
        shown,
        this.accessKeys.map(({ key }) => key),
      )
    ];
  }

  /** The system whose api-key the request shows, or undefined. Works without the body. */
  systemByApiKey(request: FastifyRequest): System | undefined {
    for (const header of new Set(this.apiKeys.map((apiKey) => apiKey.header))) {
      const shown = request.headers[header];
      if (typeof shown !== 'string') continue;
      const candidates = this.apiKeys.filter((apiKey) => apiKey.header === header);
      const found =
        candidates[
          indexOfSecret(
            shown,
            candidates.map(({ secret }) => secret),
          )
        ];
      if (found !== undefined) return found.system;
    }
    return undefined;
  }
}
