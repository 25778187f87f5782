import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Every accepted event as it came. */
@Entity('events')
export class EventsTable {
  @PrimaryGeneratedColumn('uuid')
  id: string;

  @Column('text')
  source: string;

  @Column('text', { name: 'event_type' })
  eventType: string;

  @Column('text', { name: 'idempotency_key' })
  idempotencyKey: string;

  @Column('jsonb')
  payload: object;

  @CreateDateColumn({ name: 'received_at', type: 'timestamptz' })
  receivedAt: Date;
}
