import { readFile } from 'node:fs/promises';
import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Access } from '../../platform/http/access.js';

/** Seen from the compiled file, in dist/src/operations/docs. */
const ERRORS_FILE = new URL('../../../../docs/errors.md', import.meta.url);

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
