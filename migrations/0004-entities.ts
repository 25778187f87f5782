import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What each source says about an object (`records`), and the thing itself, composed from them (`entities`). Data is
 * JSON as text: `jsonb` would turn 100.00 into 100.
 */
export class Entities1700000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE entities (
        internal_id      uuid        NOT NULL,
        entity_type      text        NOT NULL,
        revision         bigint      NOT NULL,
        data             text        NOT NULL,
        created_at       timestamptz NOT NULL DEFAULT now(),
        updated_at       timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT entities_pkey PRIMARY KEY (internal_id)
      ) WITH (fillfactor = 80);

      CREATE TABLE records (
        source           text        NOT NULL,
        system           text        NOT NULL,
        entity_type      text        NOT NULL,
        external_id      text        NOT NULL,
        internal_id      uuid        NOT NULL,
        order_value      numeric,
        content_hash     text,
        field_clocks     text        NOT NULL,
        data             text        NOT NULL,
        last_event_id    uuid        NOT NULL,
        updated_at       timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT records_pkey PRIMARY KEY (system, entity_type, external_id, source)
      ) WITH (fillfactor = 80);
      CREATE INDEX records_by_internal_id ON records (internal_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE records, entities');
  }
}
