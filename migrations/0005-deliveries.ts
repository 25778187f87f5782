import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which revision of which entity each target should have, and which one it has. Level-triggered: ten changes while a
 * target is down are one row and later one call. `dirty_seq` grows with every call whose end is unknown. Such a
 * call may still be carried out; `doubt_until` is when that is taken to be over. The target is clean again when an
 * attempt that began after both has ended (`clean_seq`).
 */
export class Deliveries1700000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE deliveries (
        target           text        NOT NULL,
        internal_id      uuid        NOT NULL,
        entity_type      text        NOT NULL,
        wanted_revision  bigint      NOT NULL,
        reached_revision bigint      NOT NULL DEFAULT 0,
        dirty_seq        bigint      NOT NULL DEFAULT 0,
        clean_seq        bigint      NOT NULL DEFAULT 0,
        doubt_until      timestamptz,
        wanted_by        uuid        NOT NULL,
        attempted_by     uuid,
        status           text        NOT NULL DEFAULT 'due',
        attempts         integer     NOT NULL DEFAULT 0,
        last_code        text,
        last_detail      text,
        delivered_at     timestamptz,
        updated_at       timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT deliveries_pkey PRIMARY KEY (internal_id, target),
        CONSTRAINT deliveries_status CHECK (status IN ('due', 'retrying', 'delivered', 'dead'))
      ) WITH (fillfactor = 80);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE deliveries');
  }
}
