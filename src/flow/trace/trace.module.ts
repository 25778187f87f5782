import { Module } from '@nestjs/common';
import { TraceService } from './trace.service.js';

@Module({ providers: [TraceService], exports: [TraceService] })
export class TraceModule {}
