import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an event asks for when it fails travels with it; the class of the last failure and the delay that came of it
 * stand with the work, and every attempt says in the trace how it came to be made.
 */
export class Retries1700000000014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events ADD COLUMN retry text');
    await runner.query(
      `ALTER TABLE work
         ADD COLUMN failure_class text,
         ADD COLUMN retry_interval_ms double precision NOT NULL DEFAULT 0,
         ADD CONSTRAINT work_failure_class CHECK (failure_class IN ('retryable', 'throttled', 'final', 'auth'))`,
    );
    await runner.query(
      `ALTER TABLE trace
         ADD COLUMN retry_count integer,
         ADD COLUMN retry_interval_ms double precision,
         ADD COLUMN reject_reason text`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE trace DROP COLUMN reject_reason, DROP COLUMN retry_interval_ms, DROP COLUMN retry_count',
    );
    await runner.query(
      'ALTER TABLE work DROP CONSTRAINT work_failure_class, DROP COLUMN retry_interval_ms, DROP COLUMN failure_class',
    );
    await runner.query('ALTER TABLE events DROP COLUMN retry');
  }
}
