/** The demo cannot go on: something is not there, or the story does not hold. The message is written for people. */
export class DemoStopped extends Error {
  override readonly name = 'DemoStopped';
}
