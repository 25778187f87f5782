/**
 * The blog-post way: what an article on "idempotent webhooks with NestJS and TypeORM" would have you write.
 * It runs as its own process with PORT and DATABASE_URL, and prints one JSON line when it listens.
 */
import 'reflect-metadata';
import { Logger, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';

Logger.overrideLogger(['error', 'warn']);
const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter());
app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
app.enableShutdownHooks();
await app.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1');
process.stdout.write(`${JSON.stringify({ listening: await app.getUrl() })}\n`);
