import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Questions that only a person may decide. `subject` keeps one question from being asked twice. */
export class Conflicts1700000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE conflicts (
        conflict_id      uuid        NOT NULL,
        kind             text        NOT NULL,
        subject          text        NOT NULL,
        status           text        NOT NULL DEFAULT 'open',
        system           text,
        entity_type      text,
        external_id      text,
        internal_id      uuid,
        event_id         uuid,
        candidates       text        NOT NULL,
        created_at       timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT conflicts_pkey PRIMARY KEY (conflict_id),
        CONSTRAINT conflicts_kind CHECK (kind IN ('key', 'version', 'link', 'find')),
        CONSTRAINT conflicts_status CHECK (status IN ('open', 'decided'))
      );
      CREATE UNIQUE INDEX conflicts_by_subject ON conflicts (kind, subject);
      CREATE INDEX conflicts_open ON conflicts (conflict_id) WHERE status = 'open';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE conflicts');
  }
}
