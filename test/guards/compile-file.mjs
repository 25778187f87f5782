import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { bundle } from '../../scripts/bundle.mjs';

const ES_MODULE = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };

/**
 * Compiles one source into `dist/`, for the tests that start the compiled program. Without its types: what uses nothing
 * any more once a guard is out is no reason not to run.
 */
export async function compileFile(folder, file) {
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, folder);
  const source = await readFile(join(folder, file), 'utf8');
  const { outputText } = ts.transpileModule(source, {
    // One file alone does not know that its package is made of ES modules.
    compilerOptions: { ...options, ...ES_MODULE, sourceMap: false },
    fileName: join(folder, file),
  });
  await writeFile(join(folder, 'dist', file.replace(/\.ts$/, '.js')), outputText);
  await bundle(folder);
}
