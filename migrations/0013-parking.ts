import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What waiting work waits for, and until when. */
export class Parking1700000000013 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE work
        ALTER COLUMN waits_for TYPE text[] USING ARRAY[waits_for],
        ADD COLUMN waits_states text[],
        ADD COLUMN waits_contract integer,
        ADD COLUMN wait_until timestamptz,
        ADD CONSTRAINT work_waits CHECK ((status = 'waiting') = (waits_for IS NOT NULL))
    `);
    // Whoever makes a thing happen looks for those who wait for it, in the transaction that makes it happen.
    await runner.query(`CREATE INDEX work_waiting ON work USING gin (waits_for) WHERE status = 'waiting'`);
    await runner.query(`CREATE INDEX work_wait_until ON work (wait_until) WHERE status = 'waiting'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX work_wait_until');
    await runner.query('DROP INDEX work_waiting');
    await runner.query(`
      ALTER TABLE work DROP CONSTRAINT work_waits, DROP COLUMN wait_until, DROP COLUMN waits_contract, DROP COLUMN waits_states,
        ALTER COLUMN waits_for TYPE text USING waits_for[1]
    `);
  }
}
