import { join } from 'node:path';
import config from '../../jest.config.mjs';

const rootDir = join(import.meta.dirname, '..', '..');

/** For copies of the tree: `npm run guards` has started the services for all of its runs, and built before. */
const projects = config.projects.map((project) => {
  const { globalSetup: _setup, globalTeardown: _teardown, ...rest } = project;
  return { ...rest, rootDir };
});

export default { ...config, rootDir, projects };
