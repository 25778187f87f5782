import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What became of each event: one row for a finished group of stages, with its hops, and further ones for failures and
 * deliveries. Receipt needs no row, the event itself is its trace. Partitioned like `events`.
 */
export class Trace1700000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE trace (
        event_id         uuid        NOT NULL,
        trace_id         uuid        NOT NULL,
        at               timestamptz NOT NULL DEFAULT clock_timestamp(),
        node             text        NOT NULL,
        status           text        NOT NULL,
        outcome          text,
        code             text,
        detail           text,
        internal_id      uuid,
        revision         bigint,
        external_id      text,
        attempt          integer,
        duration_ms      integer,
        hops             text,
        CONSTRAINT trace_pkey PRIMARY KEY (event_id, trace_id)
      ) PARTITION BY RANGE (event_id);
      CREATE INDEX trace_by_internal_id ON trace (internal_id, event_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE trace');
  }
}
