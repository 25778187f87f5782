import { applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { describeRoute, type RouteDescription } from '../../platform/http/describe-route.js';

export function HealthDocs(
  operationId: string,
  summary: string,
  answers: RouteDescription['answers'],
): MethodDecorator {
  return applyDecorators(
    ApiTags('Health'),
    describeRoute({
      operationId,
      summary,
      security: [],
      answers,
      codes: [],
    }),
  );
}
