import { describe, expect, test } from '@jest/globals';
import { readEnvironment } from './environment.js';

describe('the environment', () => {
  test('needs nothing', () => {
    expect(readEnvironment({})).toEqual({
      PORT: 3000,
      HOST: '0.0.0.0',
      CROSSWALK_CONFIG: 'config/crosswalk.yaml',
      CROSSWALK_DATA: '.crosswalk',
      ROLE: 'all',
      QUEUE_PREFIX: 'crosswalk',
      REQUEST_TIMEOUT_SECONDS: 30,
      LOG_LEVEL: 'info',
    });
  });

  test('gives what is set, and an empty variable counts as absent', () => {
    const environment = readEnvironment({
      PORT: '0',
      HOST: '127.0.0.1',
      ROLE: 'worker',
      DATABASE_URL: 'postgresql://u:p@h/db',
      REDIS_URL: 'rediss://h:6379/1',
      QUEUE_PREFIX: 'a_b-1',
      LOG_LEVEL: '',
      CROSSWALK_DATA: '/data',
      PATH: '/usr/bin',
    });
    expect(environment).toMatchObject({
      PORT: 0,
      HOST: '127.0.0.1',
      ROLE: 'worker',
      DATABASE_URL: 'postgresql://u:p@h/db',
      REDIS_URL: 'rediss://h:6379/1',
      QUEUE_PREFIX: 'a_b-1',
      LOG_LEVEL: 'info',
      CROSSWALK_DATA: '/data',
    });
    expect(environment).not.toHaveProperty('PATH');
  });

  test.each([
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PORT', '3000.5'],
    ['PORT', '65536'],
    ['PORT', 'Infinity'],
    ['ROLE', 'master'],
    ['ROLE', 'API'],
    ['DATABASE_URL', 'mysql://h/db'],
    ['DATABASE_URL', 'localhost:5432'],
    ['REDIS_URL', 'localhost:6379'],
    ['QUEUE_PREFIX', 'a:b'],
    ['LOG_LEVEL', 'verbose'],
    ['REQUEST_TIMEOUT_SECONDS', '0'],
    ['REQUEST_TIMEOUT_SECONDS', '0.5'],
    ['REQUEST_TIMEOUT_SECONDS', 'never'],
  ])('is refused with %s=%s, by the name of the variable', (name, value) => {
    expect(() => readEnvironment({ [name]: value })).toThrow(name);
  });

  test('is told everything that is unusable at once, and no value of it', () => {
    const act = (): unknown => readEnvironment({ PORT: 'x', ROLE: 'y', DATABASE_URL: 'mysql://u:hunter2@h' });
    expect(act).toThrow(/PORT[^]*ROLE[^]*DATABASE_URL|DATABASE_URL[^]*ROLE[^]*PORT|PORT[^]*DATABASE_URL[^]*ROLE/);
    expect(act).not.toThrow(/hunter2/);
  });
});
