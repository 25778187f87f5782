import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What people do with dead letters: since when each is one, replays of many of them at a pace, and the record of every
 * repair by hand (`audit`, to which rows are only ever added). Of letters that are there already nothing tells since
 * when; they count from this migration on.
 */
export class DeadLetters1700000000015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE work ADD COLUMN dead_at timestamptz;
      ALTER TABLE work ADD COLUMN IF NOT EXISTS failure_class text;
      UPDATE work SET dead_at = now() WHERE status = 'dead';
      ALTER TABLE work ADD CONSTRAINT work_dead_at CHECK (status <> 'dead' OR dead_at IS NOT NULL);
      CREATE INDEX work_dead ON work (dead_at, key) WHERE status = 'dead';

      CREATE TABLE audit (
        audit_id         uuid        NOT NULL,
        at               timestamptz NOT NULL DEFAULT clock_timestamp(),
        actor            text        NOT NULL,
        action           text        NOT NULL,
        subject          text        NOT NULL,
        reason           text        NOT NULL,
        correlation_id   text,
        before           text,
        after            text,
        CONSTRAINT audit_pkey PRIMARY KEY (audit_id)
      );
      CREATE INDEX audit_by_subject ON audit (subject, audit_id);
      CREATE INDEX audit_by_correlation_id ON audit (correlation_id, audit_id);

      CREATE TABLE replays (
        replay_id        uuid        NOT NULL,
        status           text        NOT NULL DEFAULT 'running',
        filter           text        NOT NULL,
        pace             integer     NOT NULL,
        reason           text        NOT NULL,
        operator         text        NOT NULL,
        total            integer     NOT NULL,
        done             integer     NOT NULL DEFAULT 0,
        superseded       integer     NOT NULL DEFAULT 0,
        failed           integer     NOT NULL DEFAULT 0,
        started_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
        next_step_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
        after_dead_at    timestamptz,
        after_key        text,
        ended_at         timestamptz,
        CONSTRAINT replays_pkey PRIMARY KEY (replay_id),
        CONSTRAINT replays_status CHECK (status IN ('running', 'done', 'cancelled')),
        CONSTRAINT replays_end CHECK ((status = 'running') = (ended_at IS NULL))
      );
      CREATE INDEX replays_running ON replays (next_step_at) WHERE status = 'running';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit, replays');
    await runner.query('ALTER TABLE work DROP COLUMN dead_at');
  }
}
