import { Column, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** The newest state of each record of a source. */
@Entity('records')
export class RecordsTable {
  @PrimaryColumn('text')
  source: string;

  @PrimaryColumn('text', { name: 'entity_type' })
  entityType: string;

  @PrimaryColumn('text', { name: 'external_id' })
  externalId: string;

  @Column('bigint')
  version: number;

  @Column('jsonb')
  data: object;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;
}
