import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';

/** A wish to try once more what was given up. */
export class ReplayRequest {
  @ApiProperty({ example: 'The rule for orders/delete was missing.', minLength: 1, maxLength: 500 })
  @IsString()
  @Length(1, 500)
  reason: string;
}
