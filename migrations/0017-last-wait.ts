import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an event waited for last, kept while it is judged again: waiting on for the same thing is no news. */
export class LastWait1700000000017 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE work ADD COLUMN waited_for text[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE work DROP COLUMN waited_for');
  }
}
