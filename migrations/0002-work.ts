import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is still to be done: the retry table, the claim table and the dead-letter list in one, for events and
 * deliveries alike. Rows leave when they are done, so the table stays small; it is written often, hence the room in
 * its pages and the eager vacuum. Fences and wakes come from sequences: a row that is done and later
 * made again must not give out a number that an earlier claim, or an alarm, still holds.
 */
export class Work1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE SEQUENCE work_fences AS bigint;
      CREATE SEQUENCE work_wakes AS bigint;

      CREATE TABLE work (
        kind             text        NOT NULL,
        key              text        NOT NULL,
        topic            text        NOT NULL,
        event_id         uuid,
        internal_id      uuid,
        status           text        NOT NULL DEFAULT 'due',
        next_retry_time  timestamptz NOT NULL DEFAULT now(),
        retry_count      integer     NOT NULL DEFAULT 0,
        reject_reason    text,
        reject_detail    text,
        waits_for        text,
        lease_until      timestamptz,
        fence            bigint      NOT NULL DEFAULT 0,
        claims           integer     NOT NULL DEFAULT 0,
        wake             bigint      NOT NULL DEFAULT nextval('work_wakes'),
        created_at       timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT work_pkey PRIMARY KEY (kind, key),
        CONSTRAINT work_kind CHECK (kind IN ('event', 'delivery')),
        CONSTRAINT work_status CHECK (status IN ('due', 'processing', 'waiting', 'dead')),
        CONSTRAINT work_lease CHECK ((status = 'processing') = (lease_until IS NOT NULL))
      ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
      CREATE INDEX work_due ON work (kind, next_retry_time) WHERE status = 'due';
      CREATE INDEX work_leased ON work (kind, lease_until) WHERE status = 'processing';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE work');
    await runner.query('DROP SEQUENCE work_fences, work_wakes');
  }
}
