import config from '../../jest.config.mjs';

/** For copies of the tree: `npm run guards` has started the services for all of its runs, and built before. */
const projects = config.projects.map((project) => {
  const { globalSetup: _setup, globalTeardown: _teardown, ...rest } = project;
  return rest;
});

export default { ...config, rootDir: '../..', projects };
