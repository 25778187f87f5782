import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The map from external to internal ids, unique in both directions: an external id belongs to one entity, and an
 * entity has one primary external id per system. A pending create is a primary mapping whose external id does not
 * exist yet; the same index arbitrates between our create and a write-back of the same id.
 */
export class IdMap1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mappings (
        mapping_id       uuid        NOT NULL,
        internal_id      uuid        NOT NULL,
        entity_type      text        NOT NULL,
        system           text        NOT NULL,
        external_id      text,
        raw_external_id  text,
        role             text        NOT NULL DEFAULT 'primary',
        state            text        NOT NULL,
        origin           text        NOT NULL,
        created_at       timestamptz NOT NULL DEFAULT now(),
        updated_at       timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT mappings_pkey PRIMARY KEY (mapping_id),
        CONSTRAINT mappings_role CHECK (role IN ('primary', 'alias')),
        CONSTRAINT mappings_origin CHECK (origin IN ('seen', 'pending', 'written_back')),
        CONSTRAINT mappings_state CHECK (state IN ('linked', 'waiting', 'due', 'creating', 'unknown', 'blocked')),
        CONSTRAINT mappings_linked CHECK ((state = 'linked') = (external_id IS NOT NULL))
      );
      CREATE UNIQUE INDEX mappings_by_external_id ON mappings (system, entity_type, external_id);
      CREATE UNIQUE INDEX mappings_primary ON mappings (internal_id, system) WHERE role = 'primary';
      CREATE INDEX mappings_pending ON mappings (system, created_at) WHERE external_id IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mappings');
  }
}
