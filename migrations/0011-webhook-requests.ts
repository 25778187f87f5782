import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rules read headers and the query too: a webhook that none could read needs them to be read again. */
export class WebhookRequests1700000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events ADD COLUMN request text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events DROP COLUMN request');
  }
}
