import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Identity beside the id that an event goes by: what it says about other ids of the same thing (`events.links`, JSON,
 * null for nearly all), and which other entities a record refers to (`records.refs`, JSON).
 */
export class LinksAndReferences1700000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events ADD COLUMN links text;
      ALTER TABLE records ADD COLUMN refs text;
      ALTER TABLE mappings DROP CONSTRAINT mappings_origin;
      ALTER TABLE mappings ADD CONSTRAINT mappings_origin
        CHECK (origin IN ('seen', 'pending', 'written_back', 'linked'));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE mappings SET origin = 'seen' WHERE origin = 'linked';
      ALTER TABLE mappings DROP CONSTRAINT mappings_origin;
      ALTER TABLE mappings ADD CONSTRAINT mappings_origin CHECK (origin IN ('seen', 'pending', 'written_back'));
      ALTER TABLE records DROP COLUMN refs;
      ALTER TABLE events DROP COLUMN links;
    `);
  }
}
