import { Module, type DynamicModule } from '@nestjs/common';

/** Where Redis is, for whoever speaks to it beside the queues. */
export interface RedisPlace {
  readonly url: string;
  /** What every key begins with: keeps several installations apart in one Redis. */
  readonly prefix: string;
  /** How long a request waits for an answer at most; tests give a busy machine more than the default. */
  readonly answerWithinMs?: number;
}

export const REDIS_PLACE = Symbol('RedisPlace');

/** Left out of the application where no Redis is configured: ask for `REDIS_PLACE` as something optional. */
@Module({})
export class RedisModule {
  static for(place: RedisPlace): DynamicModule {
    const providers = [{ provide: REDIS_PLACE, useValue: place }];
    return { module: RedisModule, global: true, providers, exports: [REDIS_PLACE] };
  }
}
