import { applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { describeRoute } from '../../platform/http/describe-route.js';

export function HealthDocs(summary: string): MethodDecorator {
  return applyDecorators(
    ApiTags('Health'),
    describeRoute({
      summary,
      security: [],
      answers: { 200: { description: summary, example: { status: 'ok' } } },
      codes: [],
    }),
  );
}
