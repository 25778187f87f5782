import 'reflect-metadata';
import { plainToInstance, Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, Min, validateSync } from 'class-validator';

export type ProcessRole = 'api' | 'worker' | 'all';

/** The environment variables that Crosswalk reads, with their defaults. */
export class Environment {
  /** 0: any free port. */
  @Transform(({ value }: { value: unknown }) => Number(value))
  @IsInt({ message: 'PORT is a whole number' })
  @Min(0)
  @Max(65_535, { message: 'PORT is at most 65535' })
  PORT = 3000;

  /** Where to listen; behind a proxy on the same machine 127.0.0.1 is enough. */
  @IsString()
  HOST = '0.0.0.0';

  /** The contract's file. */
  @IsString()
  CROSSWALK_CONFIG = 'config/crosswalk.yaml';

  /** Folder for what the service keeps beside the database: the embedded PostgreSQL, the first admin key. */
  @IsString()
  CROSSWALK_DATA = '.crosswalk';

  @IsIn(['api', 'worker', 'all'], { message: 'ROLE is `api`, `worker` or `all`' })
  ROLE: ProcessRole = 'all';

  /** Absent: a PostgreSQL of our own, in CROSSWALK_DATA. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: 'DATABASE_URL begins with postgres://' })
  DATABASE_URL?: string;

  /** Absent: the queues live in PostgreSQL. */
  @IsOptional()
  @Matches(/^rediss?:\/\//, { message: 'REDIS_URL begins with redis:// or rediss://' })
  REDIS_URL?: string;

  /** Keeps several installations apart in one Redis. */
  @Matches(/^[\w-]+$/, { message: 'QUEUE_PREFIX has letters, digits, `_` and `-`' })
  QUEUE_PREFIX = 'crosswalk';

  /** A request whose headers and body are not there by then is cut off. */
  @Transform(({ value }: { value: unknown }) => Number(value))
  @IsInt({ message: 'REQUEST_TIMEOUT_SECONDS is a whole number' })
  @Min(1, { message: 'REQUEST_TIMEOUT_SECONDS is at least 1' })
  @Max(3_600, { message: 'REQUEST_TIMEOUT_SECONDS is at most 3600' })
  REQUEST_TIMEOUT_SECONDS = 30;

  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
    message: 'LOG_LEVEL is one of trace, debug, info, warn, error, silent',
  })
  LOG_LEVEL = 'info';
}

/** @throws Error that lists every variable that is unusable */
export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const known = Object.keys(new Environment());
  const optional = ['DATABASE_URL', 'REDIS_URL'];
  // An empty variable counts as absent: that is what `FOO= npm start` means.
  const given = [...known, ...optional].flatMap((name): [string, string][] => {
    const value = variables[name];
    return value === undefined || value === '' ? [] : [[name, value]];
  });
  const environment = plainToInstance(Environment, Object.fromEntries(given), { exposeDefaultValues: true });
  const problems = validateSync(environment).flatMap(({ constraints }) => Object.values(constraints ?? {}));
  if (problems.length > 0) throw new Error(`The environment is unusable:\n${problems.map((p) => `  ${p}`).join('\n')}`);
  return environment;
}
