import { Injectable, type OnModuleInit } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ACCESS_RULE } from './access.js';

/** Keeps the service from starting while a route has no access rule: what nobody thought of must not be open. */
@Injectable()
export class AccessAudit implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    const open = this.discovery.getControllers().flatMap(({ metatype }) => {
      if (typeof metatype !== 'function') return [];
      const methods = this.scanner.getAllMethodNames(metatype.prototype as object);
      return methods
        .filter((method) => this.isUnguardedRoute(metatype, method))
        .map((method) => `${metatype.name}.${method}`);
    });
    if (open.length > 0) throw new Error(`These routes have no access rule: ${open.join(', ')}.`);
  }

  private isUnguardedRoute(controller: NewableFunction, method: string): boolean {
    const handler = (controller.prototype as Record<string, () => unknown>)[method];
    if (handler === undefined || Reflect.getMetadata(METHOD_METADATA, handler) === undefined) return false;
    return this.reflector.getAllAndOverride<unknown>(ACCESS_RULE, [handler, controller as never]) === undefined;
  }
}
