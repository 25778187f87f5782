import { Type } from 'class-transformer';
import { IsInt, IsObject, IsString, Length, Min, ValidateNested } from 'class-validator';

class EntityDto {
  @IsString()
  @Length(1, 64)
  type: string;

  @IsString()
  @Length(1, 255)
  external_id: string;
}

/** The body of `POST /events`: the same fields that Crosswalk's envelope has. */
export class EventDto {
  @IsString()
  @Length(1, 2048)
  idempotency_key: string;

  @IsString()
  @Length(1, 64)
  event_type: string;

  @ValidateNested()
  @Type(() => EntityDto)
  entity: EntityDto;

  @IsInt()
  @Min(0)
  version: number;

  @IsObject()
  payload: Record<string, unknown>;
}
