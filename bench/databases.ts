import pg from 'pg';

const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' } as const;

/** The databases of one bench run: each turn gets an empty one, so that no contender pays for what another left. */
export class Databases {
  private readonly admin: pg.Client;

  private constructor(private readonly url: string) {
    this.admin = new pg.Client({ connectionString: url });
    // The server goes away at the end of a run, also by Ctrl-C; a query that is under way reports it by itself.
    this.admin.on('error', () => undefined);
  }

  /** Connects. Rejects when the server would answer a commit before it is on disk: such figures compare nothing. */
  static async open(url: string): Promise<Databases> {
    const databases = new Databases(url);
    await databases.admin.connect();
    for (const [setting, wanted] of Object.entries(DURABLE)) {
      const found = await databases.show(setting);
      if (found !== wanted) throw new Error(`PostgreSQL runs with ${setting} = ${found}; the bench wants ${wanted}.`);
    }
    return databases;
  }

  /** Creates an empty database, lets `use` work on it by its URL, and drops it. */
  async withEmpty<T>(name: string, use: (databaseUrl: string) => Promise<T>): Promise<T> {
    const identifier = pg.escapeIdentifier(name);
    await this.admin.query(`CREATE DATABASE ${identifier}`);
    // A checkpoint that the turn before has left behind would cost this one.
    await this.admin.query('CHECKPOINT');
    const url = new URL(this.url);
    url.pathname = `/${name}`;
    const result = await use(url.href);
    await this.admin.query(`DROP DATABASE ${identifier} WITH (FORCE)`);
    return result;
  }

  async serverVersion(): Promise<string> {
    return this.show('server_version');
  }

  async close(): Promise<void> {
    await this.admin.end();
  }

  private async show(setting: string): Promise<string> {
    const result = await this.admin.query<{ value: string }>('SELECT current_setting($1) AS value', [setting]);
    return result.rows[0]?.value ?? 'unknown';
  }
}
