import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { AccessKey, System } from '../../domain/contract/contract.js';
import { SyncError } from '../../domain/sync-error.js';
import { ACCESS_RULE, roleReaches, type AccessRule } from './access.js';
import { Credentials } from './credentials.js';

/** Who was let in; on the request for the handlers that need to know. */
export interface Caller {
  accessKey?: AccessKey;
  system?: System;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller;
  }
}

/** Guards every route by its `@Access` rule. A route of kind `source` proves itself on its raw bytes instead. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly credentials: Credentials,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const rule = this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (rule === undefined) throw new Error(`${context.getClass().name} has a route without an access rule.`);
    if (rule.kind === 'public' || rule.kind === 'source') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    request.caller = this.identify(request);
    const { accessKey, system } = request.caller;
    if (accessKey !== undefined && roleReaches(accessKey.role, rule.role)) return true;
    if (system !== undefined && rule.kind === 'role_or_system') return true;
    if (accessKey === undefined && system === undefined) {
      throw new SyncError('auth.failed', 'Send an access key as `Authorization: Bearer …`.');
    }
    throw new SyncError('access.denied', `This needs the role \`${rule.role}\` or more.`);
  }

  private identify(request: FastifyRequest): Caller {
    const accessKey = this.credentials.accessKeyOf(request);
    if (accessKey !== undefined) return { accessKey };
    const system = this.credentials.systemOf(request);
    return system === undefined ? {} : { system };
  }
}
