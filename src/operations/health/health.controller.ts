import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DuplicateGuard } from '../../flow/inbox/duplicate-guard.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import { Access } from '../../platform/http/access.js';
import { Alarms } from '../../platform/queues/alarms.js';
import { HealthDocs } from './health.docs.js';

const DATABASE_TIMEOUT_MS = 2_000;
const UNAVAILABLE_EXAMPLE = { status: 'unavailable', database: 'unavailable', queues: 'ok' };

/** For load balancers and supervisors; open to everybody, and without any detail that would help a stranger. */
@Controller('health')
@Access({ kind: 'public' })
export class HealthController {
  constructor(
    private readonly clock: DatabaseClock,
    private readonly alarms: Alarms,
    private readonly guard: DuplicateGuard,
  ) {}

  /** The process runs; it says nothing about what it depends on. */
  @Get('live')
  @HealthDocs('getLiveness', 'The process runs.', { 200: { description: 'It does.', example: { status: 'ok' } } })
  live(): { readonly status: 'ok' } {
    return { status: 'ok' };
  }

  /** Requests can be answered: PostgreSQL answers. The queue's backend and the guard are not needed for that and only reported. */
  @Get('ready')
  @HealthDocs('getReadiness', 'Events can be stored.', {
    200: { description: 'They can.', example: { status: 'ok', database: 'ok', queues: 'ok' } },
    503: { description: 'PostgreSQL does not answer.', example: UNAVAILABLE_EXAMPLE },
  })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const isDatabaseUp = await within(DATABASE_TIMEOUT_MS, this.clock.synchronize());
    const queues = this.alarms.isAvailable ? 'ok' : 'unavailable';
    if (!isDatabaseUp) void reply.status(503);
    const status = !isDatabaseUp ? 'unavailable' : queues === 'ok' ? 'ok' : 'degraded';
    return { status, database: isDatabaseUp ? 'ok' : 'unavailable', queues, ...this.guardState() };
  }

  /** Nothing where no Redis is configured. While it is off PostgreSQL recognises all copies, and nothing is degraded. */
  private guardState(): Pick<Readiness, 'guard'> {
    const { isOn } = this.guard;
    return isOn === undefined ? {} : { guard: isOn ? 'on' : 'off' };
  }
}

interface Readiness {
  readonly status: 'ok' | 'degraded' | 'unavailable';
  readonly database: 'ok' | 'unavailable';
  readonly queues: 'ok' | 'unavailable';
  readonly guard?: 'on' | 'off';
}

async function within(limitMs: number, promise: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      resolve(false);
    }, limitMs);
  });
  const arrived = promise.then(
    () => true,
    () => false,
  );
  const isUp = await Promise.race([arrived, late]);
  clearTimeout(timer);
  return isUp;
}
