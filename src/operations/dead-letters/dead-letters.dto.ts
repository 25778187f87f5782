import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsObject, IsOptional, IsString, Length, Matches, ValidateNested } from 'class-validator';
import type { FilterWords } from './letter-filter.js';

/** A wish to do something about what was given up. */
export class LetterRequest {
  @ApiProperty({ example: 'The rule for orders/delete was missing.', minLength: 1, maxLength: 500 })
  @IsString()
  @Length(1, 500)
  reason: string;

  @ApiPropertyOptional({ description: 'Change nothing, and say what would be.' })
  @IsOptional()
  @IsBoolean()
  dry_run?: boolean;
}

/** Which letters are meant: those for which every part that is given holds. */
export class LetterFilterBody implements FilterWords {
  @ApiPropertyOptional({ enum: ['event', 'delivery'] })
  @IsOptional()
  @IsString()
  kind?: string;

  @ApiPropertyOptional({ example: 'retry.exhausted' })
  @IsOptional()
  @IsString()
  code?: string;

  @ApiPropertyOptional({ example: 'retryable' })
  @IsOptional()
  @IsString()
  class?: string;

  @ApiPropertyOptional({ example: 'erp' })
  @IsOptional()
  @IsString()
  target?: string;

  @ApiPropertyOptional({ example: 'crm' })
  @IsOptional()
  @IsString()
  source?: string;

  @ApiPropertyOptional({ example: 'customer.updated' })
  @IsOptional()
  @IsString()
  event_type?: string;

  @ApiPropertyOptional({ example: '01890a5d-b1c2-7d11-8a41-6f0f7d0c1e2a' })
  @IsOptional()
  @IsString()
  internal_id?: string;

  @ApiPropertyOptional({ example: 'checkout-7f3a' })
  @IsOptional()
  @IsString()
  correlation_id?: string;

  @ApiPropertyOptional({ example: '2025-01-01T00:00:00Z', description: 'Died at or after.' })
  @IsOptional()
  @IsString()
  from?: string;

  @ApiPropertyOptional({ example: '2025-01-02T00:00:00Z', description: 'Died before.' })
  @IsOptional()
  @IsString()
  to?: string;
}

/** A wish to replay many letters. */
export class BulkReplayRequest extends LetterRequest {
  @ApiPropertyOptional({ type: LetterFilterBody, description: 'Absent: every letter.' })
  @IsOptional()
  // A list of filters would be checked one by one, and then read as a filter without a word: every letter.
  @IsObject()
  @ValidateNested()
  @Type(() => LetterFilterBody)
  filter?: LetterFilterBody;

  @ApiPropertyOptional({ type: Number, example: 10, description: 'Letters per second, 1 to 200; default 10.' })
  @IsOptional()
  @Matches(/^(?:[1-9]\d?|1\d\d|200)$/, { message: 'pace is a whole number from 1 to 200' })
  pace?: string;
}

/** New parts for the envelope of a dead event; what is absent stays, and null takes a part away. */
export class EditRequest extends LetterRequest {
  @ApiPropertyOptional({ type: Object, example: { full_name: 'Ada Lovelace' }, description: 'Replaces the payload.' })
  @IsOptional()
  payload?: unknown;

  @ApiPropertyOptional({ example: '18' })
  @IsOptional()
  version?: unknown;

  @ApiPropertyOptional({ example: '2025-01-01T12:00:00.000+08:00' })
  @IsOptional()
  occurred_at?: unknown;

  @ApiPropertyOptional({ type: Object, example: { external_id: 'C-10042' } })
  @IsOptional()
  entity?: unknown;

  @ApiPropertyOptional({ type: [Object], example: [{ system: 'erp', external_id: 'ERP-C456' }] })
  @IsOptional()
  links?: unknown;

  @ApiPropertyOptional({ example: 'SHIPPED', description: 'The state that the event names.' })
  @IsOptional()
  state?: unknown;

  @ApiPropertyOptional({ example: 'PAID' })
  @IsOptional()
  expected_current_state?: unknown;

  @ApiPropertyOptional({ type: Object, example: { max_retry: 5 }, description: 'What applies when it fails.' })
  @IsOptional()
  retry?: unknown;
}
