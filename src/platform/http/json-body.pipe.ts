import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { plainNumber } from '../../domain/json/canonical-number.js';
import { isJsonObject, isJsonArray, JsonNumber, type Json } from '../../domain/json/json.js';
import { SyncError } from '../../domain/sync-error.js';
import { jsonText, parseJson } from './raw-body.js';

/** The body of an admin or look-up route, checked against a DTO class. Numbers that serve as ids come in as text. */
export const JsonBody = createParamDecorator((dto: new () => object, context: ExecutionContext): object => {
  const text = jsonText(context.switchToHttp().getRequest<FastifyRequest>());
  return validated(dto, plain(parseJson(text).value));
});

/** @throws SyncError `request.invalid` that names every part that is wrong */
export function validated<T extends object>(dto: new () => T, value: unknown): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SyncError('request.invalid', 'The body is a JSON object.');
  }
  const instance = plainToInstance(dto, value);
  const problems = validateSync(instance, { whitelist: true, forbidNonWhitelisted: true }).flatMap((problem) =>
    sentences(problem, ''),
  );
  if (problems.length > 0) throw new SyncError('request.invalid', `${problems.join('; ')}.`);
  return instance;
}

function sentences({ property, constraints, children }: ValidationError, parent: string): string[] {
  const at = `${parent}/${property}`;
  const own = Object.values(constraints ?? {}).map((sentence) => `${at}: ${sentence}`);
  return [...own, ...(children ?? []).flatMap((child) => sentences(child, at))];
}

/** Numbers become text, as they do in an envelope: an id must not lose digits on its way to a DTO. */
function plain(value: Json): unknown {
  if (value instanceof JsonNumber) return plainNumber(value.text);
  if (isJsonArray(value)) return value.map(plain);
  if (isJsonObject(value)) return Object.fromEntries([...value].map(([name, member]) => [name, plain(member)]));
  return value;
}
