import type { Redis } from 'ioredis';

export interface GuardEntry {
  readonly key: string;
  readonly value: string;
  readonly lifeSeconds: number;
}

/** The four things that the guard asks of Redis; the self-test goes the same way as everything else. */
export interface GuardStore {
  /** In the order of the keys; null for what is not there or is no text. */
  read(keys: readonly string[]): Promise<readonly (string | null)[]>;
  /** Writes what is not there yet, in one round trip; true for each entry that was written. */
  write(entries: readonly GuardEntry[]): Promise<readonly boolean[]>;
  /** Milliseconds until the key is forgotten; negative where it never is or is not there. */
  lifeMs(key: string): Promise<number>;
  forget(key: string): Promise<unknown>;
}

export function guardStore(redis: Redis): GuardStore {
  return {
    read: (keys) => redis.mget([...keys]),
    write: async (entries) => {
      const pipeline = redis.pipeline();
      for (const { key, value, lifeSeconds } of entries) pipeline.set(key, value, 'EX', lifeSeconds, 'NX');
      const answers = (await pipeline.exec()) ?? [];
      return answers.map(([error, answer]) => {
        if (error !== null) throw error;
        return answer === 'OK';
      });
    },
    lifeMs: (key) => redis.pttl(key),
    forget: (key) => redis.del(key),
  };
}
