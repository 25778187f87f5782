/** How often a property is tried: so often by `npm run test:all`, a quarter of it otherwise. */
export function draws(all: number): number {
  return process.env['CROSSWALK_TEST_ALL'] === '1' ? all : Math.ceil(all / 4);
}
