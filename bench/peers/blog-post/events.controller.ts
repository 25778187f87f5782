import { Body, Controller, Get, Headers, HttpCode, Post } from '@nestjs/common';
import { EventDto } from './event.dto.js';
import { EventsService, type Receipt } from './events.service.js';

@Controller()
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Post('events')
  @HttpCode(202)
  receive(@Headers('x-source') source: string, @Body() event: EventDto): Promise<Receipt> {
    return this.events.process(source, event);
  }

  @Get('health')
  health(): { readonly status: string } {
    return { status: 'ok' };
  }
}
