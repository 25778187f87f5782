import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The declared states: which one an event names and which one it expects, which one an entity is in, and the path that
 * led there (JSON, see `readPath`). All of it is null where no state was ever spoken of.
 */
export class States1700000000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events ADD COLUMN state text, ADD COLUMN expected_state text;
      ALTER TABLE entities ADD COLUMN state text, ADD COLUMN path text;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE entities DROP COLUMN path, DROP COLUMN state;
      ALTER TABLE events DROP COLUMN expected_state, DROP COLUMN state;
    `);
  }
}
