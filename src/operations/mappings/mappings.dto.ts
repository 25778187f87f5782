import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsOptional, IsString, IsUUID, ValidateNested } from 'class-validator';

const RESOLVE_ITEMS_MAX = 1000;

export class ExternalReference {
  @ApiProperty({ example: 'crm' })
  @IsString()
  system: string;

  @ApiProperty({ example: 'customer' })
  @IsString()
  entity_type: string;

  @ApiProperty({ example: 'CRM-00123', description: 'Text or number.' })
  @IsString({ message: 'external_id is text or a number' })
  external_id: string;
}

/** Where several external ids are looked up in one round trip. */
export class ResolveRequest {
  @ApiProperty({ type: [ExternalReference], maxItems: RESOLVE_ITEMS_MAX })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(RESOLVE_ITEMS_MAX)
  @ValidateNested({ each: true })
  @Type(() => ExternalReference)
  items: ExternalReference[];

  @ApiPropertyOptional({ example: 'erp', description: 'Also give the id that the entity has in this system.' })
  @IsOptional()
  @IsString()
  to?: string;
}

/** A system says which of its ids an entity has. */
export class WriteBackRequest extends ExternalReference {
  @ApiProperty({ example: '01890a5d-ac96-774b-bcce-b302099a8057', description: 'The entity, by its internal id.' })
  @IsUUID()
  internal_id: string;
}
