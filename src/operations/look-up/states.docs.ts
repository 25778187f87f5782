import { applyDecorators } from '@nestjs/common';
import { ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { mermaidOf } from '../../domain/state-machine/mermaid-of.js';
import { stateGraph } from '../../domain/state-machine/state-graph.js';
import { describeRoute } from '../../platform/http/describe-route.js';

const EXAMPLE = stateGraph(
  'CREATED',
  new Map([
    ['CREATED', ['PAID']],
    ['PAID', []],
  ]),
);

export function StatesDocs(): MethodDecorator {
  return applyDecorators(
    ApiTags('Look up'),
    ApiParam({ name: 'entity_type', example: 'order' }),
    ApiQuery({ name: 'format', required: false, enum: ['json', 'mermaid'] }),
    describeRoute({
      operationId: 'getStates',
      summary: 'The states that entities of a type go through',
      description:
        'As the contract declares them. `is_cyclic`: some state can be come back to, so that events need an order ' +
        'value. `format=mermaid` answers the diagram alone, as text.',
      security: ['access_key'],
      answers: {
        200: {
          description: 'The graph.',
          example: {
            entity_type: 'order',
            initial: EXAMPLE.initial,
            states: [
              { name: 'CREATED', next: ['PAID'], is_terminal: false },
              { name: 'PAID', next: [], is_terminal: true },
            ],
            is_cyclic: false,
            mermaid: mermaidOf(EXAMPLE),
          },
        },
      },
      codes: ['auth.failed', 'access.denied', 'request.invalid', 'states.not_found'],
    }),
  );
}
