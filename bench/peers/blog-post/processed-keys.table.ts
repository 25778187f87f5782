import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** The dedup memory: the unique constraint decides which copy of an event is the first. */
@Entity('processed_keys')
@Unique('processed_keys_once', ['source', 'eventType', 'idempotencyKey'])
export class ProcessedKeysTable {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column('text')
  source: string;

  @Column('text', { name: 'event_type' })
  eventType: string;

  @Column('text', { name: 'idempotency_key' })
  idempotencyKey: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
