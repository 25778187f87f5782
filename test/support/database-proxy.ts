import { PostgresStatements } from './postgres-statements.js';
import type { Statement } from './postgres-statements.js';
import { startTcpProxy } from './tcp-proxy.js';
import type { Connection, Listener, TcpProxy } from './tcp-proxy.js';

/** A way to a PostgreSQL that can be cut and held up, that can lose an answer, and that tells what is asked. */
export interface DatabaseProxy extends Omit<TcpProxy, 'port' | 'leadTo'> {
  readonly url: string;
  /**
   * The next statement that carries this text reaches the server and commits there; then its connection breaks before
   * the answer comes through.
   */
  loseAnswerTo(text: string): void;
  /** Every connection that says this text breaks before it comes through, until `undefined` is given. */
  refuse(text: string | undefined): void;
  /**
   * Asks about every statement before it goes on. One that is held up waits for the promise, and everything after it
   * on its connection as well.
   */
  watch(watcher: Watcher | undefined): void;
}

export type Watcher = (statement: Statement) => Promise<void> | undefined;

/** ReadyForQuery, outside of a transaction: the statements before it are committed (PostgreSQL protocol, chapter 54.7). */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { hostname: host, port } = new URL(databaseUrl);
  let textToLose: string | undefined;
  let refusedText: string | undefined;
  let watcher: Watcher | undefined;
  const proxy = await startTcpProxy({ host, port: Number(port) }, (connection) => {
    let isVictim = false;
    const toServer = watched(connection, (statement) => watcher?.(statement));
    return {
      fromClient: (bytes) => {
        if (refusedText !== undefined && bytes.includes(refusedText)) return connection.end();
        if (textToLose !== undefined && bytes.includes(textToLose)) {
          isVictim = true;
          textToLose = undefined;
        }
        toServer(bytes);
      },
      fromServer: (bytes) => {
        if (!isVictim) connection.toClient(bytes);
        else if (bytes.subarray(-READY.length).equals(READY)) connection.end();
      },
    };
  });
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${proxy.port}`;
  return {
    ...proxy,
    url: url.href,
    loseAnswerTo: (text) => {
      textToLose = text;
    },
    refuse: (text) => {
      refusedText = text;
    },
    watch: (newWatcher) => {
      watcher = newWatcher;
    },
  };
}

/** Sends on message by message; from one that is held up, nothing more before it was let go. */
function watched(connection: Connection, watcher: Watcher): Listener['fromClient'] {
  const statements = new PostgresStatements();
  let before: Promise<void> | undefined;
  return (bytes) => {
    for (const message of statements.read(bytes)) {
      const send = (): void => connection.toServer(message.bytes);
      const held = message.statement && watcher(message.statement);
      if (held === undefined && before === undefined) {
        send();
        continue;
      }
      const turn: Promise<void> = Promise.resolve(before)
        .then(() => held)
        .then(send)
        .finally(() => {
          if (before === turn) before = undefined;
        });
      before = turn;
    }
  };
}
