import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One row that is never changed. A restore writes it anew, by which the guard in Redis notices that the database may have
 * become older than what Redis knows. `UPDATE guard_epoch SET mark = gen_random_uuid()` makes the guard forget everything.
 */
export class GuardEpoch1700000000016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE guard_epoch (
        is_only_row boolean NOT NULL DEFAULT true,
        mark uuid NOT NULL DEFAULT gen_random_uuid(),
        CONSTRAINT guard_epoch_pkey PRIMARY KEY (is_only_row),
        CONSTRAINT guard_epoch_is_only_row CHECK (is_only_row)
      )`);
    await runner.query('INSERT INTO guard_epoch DEFAULT VALUES');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE guard_epoch');
  }
}
