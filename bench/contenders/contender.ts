/** A service under test that is ready to take events. */
export interface Contender {
  readonly name: string;
  /** Where one event is sent as a POST. */
  readonly eventsUrl: string;
  /** What each request carries so that the service knows who sends. */
  readonly headers: Readonly<Record<string, string>>;
  readonly databaseUrl: string;
  /** What its process has printed so far, shortened: for the message of a turn that fails. */
  lastWords(): string;
  end(): Promise<void>;
}
