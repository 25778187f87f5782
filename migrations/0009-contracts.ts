import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Every contract that was ever active, by its number, and on each event the numbers of those that read and decided it.
 *
 * The one with the greatest `activation` is active: times may stand still or go back, and a former text that is served
 * again keeps its number. Nothing refers to `contracts` by a foreign key, which every receipt would pay for.
 */
export class Contracts1700000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE contracts (
        number           integer     NOT NULL,
        hash             text        NOT NULL,
        text             text        NOT NULL,
        activation       bigint      NOT NULL,
        first_active_at  timestamptz NOT NULL DEFAULT now(),
        active_since     timestamptz NOT NULL DEFAULT now(),
        accepted_by      text,
        accepted_at      timestamptz,
        accepted_against integer,
        CONSTRAINT contracts_pkey PRIMARY KEY (number),
        CONSTRAINT contracts_hash UNIQUE (hash),
        CONSTRAINT contracts_activation UNIQUE (activation),
        CONSTRAINT contracts_number CHECK (number > 0),
        CONSTRAINT contracts_accepted CHECK ((accepted_by IS NULL) = (accepted_at IS NULL))
      );
      ALTER TABLE events ADD COLUMN contract integer;
      ALTER TABLE trace ADD COLUMN contract integer;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE trace DROP COLUMN contract;
      ALTER TABLE events DROP COLUMN contract;
      DROP TABLE contracts;
    `);
  }
}
