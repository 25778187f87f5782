import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Under which claim a pending create last changed, so that a worker whose time is over changes it no more. */
export class CreateFences1700000000018 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mappings ADD COLUMN create_fence bigint NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mappings DROP COLUMN create_fence');
  }
}
