import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What merge rules and deletes have to remember. A record that was deleted stays as a tombstone, so that late events
 * find out that they are late; an entity is deleted when all its records are. `field_clocks` goes on as it is: what was
 * written before reads as clocks of whole fields.
 */
export class MergesAndDeletes1700000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE records
        ADD COLUMN is_tombstone       boolean NOT NULL DEFAULT false,
        ADD COLUMN occurred_at_micros numeric,
        ADD COLUMN existence_clock    text,
        ADD COLUMN merged             text    NOT NULL DEFAULT '{}';
      ALTER TABLE entities ADD COLUMN is_deleted boolean NOT NULL DEFAULT false;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE entities DROP COLUMN is_deleted;
      ALTER TABLE records
        DROP COLUMN merged, DROP COLUMN existence_clock, DROP COLUMN occurred_at_micros, DROP COLUMN is_tombstone;
    `);
  }
}
