import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';

/** The record of repairs by hand, read; apart from writing, because a process without an API writes it too. */
@Module({ controllers: [AuditController] })
export class AuditLookUpModule {}
