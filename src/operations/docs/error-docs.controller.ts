import { readFile } from 'node:fs/promises';
import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { shippedFile } from '../../platform/config/shipped-file.js';
import { Access } from '../../platform/http/access.js';

const ERRORS_FILE = shippedFile('docs/errors.md');

/** Where the `type` of every problem document leads: what each code means and how to put it right. */
@Controller('docs/errors')
@Access({ kind: 'public' })
@ApiExcludeController()
export class ErrorDocsController {
  @Get()
  @Header('content-type', 'text/markdown; charset=utf-8')
  errors(): Promise<string> {
    return readFile(ERRORS_FILE, 'utf8');
  }
}
