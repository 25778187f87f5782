import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The inbox: what was accepted, and the memory that keeps it from being accepted twice.
 *
 * `events` is partitioned by the day in its UUIDv7, so that a day can be dropped whole; `idempotency_keys` is not,
 * because a unique index cannot span partitions and its uniqueness is the guarantee of the whole product.
 */
export class Inbox1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE events (
        event_id         uuid        NOT NULL,
        source           text        NOT NULL,
        event_type       text,
        idempotency_key  text        NOT NULL,
        system           text,
        entity_type      text,
        external_id      text,
        raw_external_id  text,
        version          numeric,
        occurred_at      timestamptz,
        correlation_id   text        NOT NULL,
        traceparent      text,
        fingerprint      text        NOT NULL,
        conflicts_with   uuid,
        payload          text        NOT NULL,
        received_at      timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT events_pkey PRIMARY KEY (event_id)
      ) PARTITION BY RANGE (event_id);
      CREATE INDEX events_by_correlation_id ON events (correlation_id);
      CREATE INDEX events_by_received_at ON events USING brin (received_at);

      CREATE TABLE idempotency_keys (
        scope            text        NOT NULL,
        idempotency_key  text        NOT NULL,
        event_id         uuid        NOT NULL,
        fingerprint      text        NOT NULL,
        created_at       timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT idempotency_keys_pkey PRIMARY KEY (scope, idempotency_key)
      );

      CREATE TABLE duplicate_counts (
        hour             timestamptz NOT NULL,
        source           text        NOT NULL,
        event_type       text        NOT NULL,
        layer            text        NOT NULL,
        copies           bigint      NOT NULL,
        CONSTRAINT duplicate_counts_pkey PRIMARY KEY (hour, source, event_type, layer),
        CONSTRAINT duplicate_counts_layer CHECK (layer IN ('guard', 'key'))
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE duplicate_counts, idempotency_keys, events');
  }
}
