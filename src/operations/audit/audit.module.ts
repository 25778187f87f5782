import { Module } from '@nestjs/common';
import { AuditService } from './audit.service.js';

/** The record of repairs by hand. Owns `audit`. */
@Module({ providers: [AuditService], exports: [AuditService] })
export class AuditModule {}
