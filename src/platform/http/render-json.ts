import type { FastifyReply } from 'fastify';

/** JSON text that goes into an answer as it is, so that its numbers keep their digits. */
export class RawJson {
  constructor(readonly text: string) {}
}

export type Renderable =
  | RawJson
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | readonly Renderable[]
  | { readonly [name: string]: Renderable };

/** Answers with JSON in which `RawJson` parts stand as they are and bigints as numbers. */
export function sendJson(reply: FastifyReply, value: Renderable): string {
  void reply.type('application/json; charset=utf-8');
  return renderJson(value);
}

export function renderJson(value: Renderable): string {
  if (value instanceof RawJson) return value.text;
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  if (isList(value)) return `[${value.map(renderJson).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${renderJson(member)}`).join(',')}}`;
}

function isList(value: object): value is readonly Renderable[] {
  return Array.isArray(value);
}
