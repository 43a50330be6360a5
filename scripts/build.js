// Bundles the command line and the library into dist/, and puts the reference's files beside them, unless
// no source has changed since the last build.
import { spawn } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import { isBuilt, stampOf } from './build-stamp.js'
import { writeTypes } from './bundle-types.js'
import { importSource } from './import-source.js'
import { writeLicenses } from './licenses.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const isWatching = process.argv.includes('--watch')
const target = join(root, 'dist')
/** A build that fails leaves the last one in place: it is made beside it. */
const dist = isWatching ? target : join(root, 'dist.new')

const OLD_NODE = "'Sandramp needs Node 20.19 or newer, this is Node '+process.versions.node+'.'"

/** Runs before the code of each file: an older Node would fail somewhere within, with a stack. */
const ASSERT_NODE =
  `{const v=process.versions.node.split('.');if(v[0]<20||v[0]==20&&v[1]<19){const m=${OLD_NODE};` +
  "if(import.meta.url.endsWith('/cli.js')){process.stderr.write('sandramp: '+m+'\\n');process.exit(2)}" +
  'throw new Error(m)}}'

/** A bundle in CommonJS has no import.meta.url, which createRequire needs. */
const ASSERT_MODULE =
  "if(!import.meta.url)throw new Error('Sandramp cannot be bundled. Mark sandramp as external in your bundler.');"

/** Leaves out what nothing calls of Zod: 300 kB of translations, and 40 kB that each start would read. */
const withoutUnusedZod = {
  name: 'without-unused-zod',
  setup: (build) => {
    const unused =
      /[\\/]zod[\\/]v4[\\/](locales[\\/]index|core[\\/]compile|classic[\\/]from-json-schema)\.js$/
    const names =
      'fromJSONSchema, INVALID, compile, withParser, ZodCompileAsyncError, ZodCompileUnsupportedError'
    build.onLoad({ filter: unused }, () => ({ contents: `export let ${names}` }))
  },
}

/** Importing node:http reads all its exports, and one of them loads Node's fetch: 25 ms from Node 24 on. */
const withoutFetch = {
  name: 'without-fetch',
  setup: (build) => {
    build.onResolve({ filter: /^node:http$/ }, ({ path, kind }) =>
      kind === 'require-call' ? { path, external: true } : { path, namespace: 'required' },
    )
    build.onLoad({ filter: /^node:http$/, namespace: 'required' }, () => ({
      contents: "module.exports = require('node:http')",
    }))
  },
}

/** The MCP server checks no schemas, since the control API does: its validator would be 150 kB. */
const withoutAjv = {
  name: 'without-ajv',
  setup: (build) => {
    const filter = /^@modelcontextprotocol\/server\/_shims$/
    build.onResolve({ filter }, ({ path }) => ({ path, namespace: 'shims' }))
    build.onLoad({ filter, namespace: 'shims' }, () => ({
      contents:
        "export { default as process } from 'node:process'; export class DefaultJsonSchemaValidator {}",
    }))
  },
}

const RUNNERS = ['vitest', 'playwright', 'jest', 'node-test']
const runners = Object.fromEntries(RUNNERS.map((name) => [name, `src/runners/${name}.ts`]))

const options = {
  absWorkingDir: root,
  entryPoints: { cli: 'src/cli.ts', index: 'src/index.ts', ...runners },
  external: ['vitest', '@playwright/test'],
  outdir: dist,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minify: true,
  define: { BUILT: 'true' },
  logLevel: 'warning',
  plugins: [withoutUnusedZod, withoutFetch, withoutAjv],
  // Node shows the line that an error nobody catches was thrown on, above its message.
  lineLimit: 120,
  // Bundled CommonJS packages call require, which ES modules lack.
  banner: {
    js: `import{createRequire}from'node:module';${ASSERT_MODULE}const require=createRequire(import.meta.url);${ASSERT_NODE}`,
  },
}

/** For Jest, which loads no ES modules without a flag. Its own code shares the library's file. */
const commonOptions = {
  ...options,
  entryPoints: { index: 'src/index.ts', jest: runners.jest },
  splitting: false,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  define: { ...options.define, 'import.meta.url': 'importMetaUrl' },
  plugins: [
    withoutUnusedZod,
    {
      name: 'share-index',
      setup: (build) =>
        build.onResolve({ filter: /^\.\.\/index\.js$/ }, () => ({
          path: './index.cjs',
          external: true,
        })),
    },
  ],
  banner: { js: "const importMetaUrl=require('node:url').pathToFileURL(__filename).href;" },
}

if (isWatching) {
  await makeParts()
  await watch()
} else if (!isBuilt(root)) {
  try {
    await makeParts()
    // The declarations take longest, and need nothing of what else is made.
    await Promise.all([writeTypes(root, dist, RUNNERS), bundle(), esbuild.build(commonOptions)])
  } catch (error) {
    await rm(dist, { recursive: true, force: true })
    throw error
  }
  await putInPlace()
}

/** Makes what needs no bundle. */
async function makeParts() {
  await rm(dist, { recursive: true, force: true })
  for (const folder of ['reference', 'console']) {
    await mkdir(join(dist, folder), { recursive: true })
  }
  await copyReference()
  await copyConsole()
  await makeImage()
}

/** Replaces the last build. */
async function putInPlace() {
  await writeFile(join(dist, basename(stampOf(root))), process.version)
  await rm(target, { recursive: true, force: true })
  await rename(dist, target)
}

/** Bundles the command line and the library, with the licenses of the packages that went in. */
async function bundle() {
  const { metafile } = await esbuild.build({ ...options, metafile: true })
  await writeLicenses(root, Object.keys(metafile.inputs), join(dist, 'LICENSES.txt'))
}

/** Copies the reference's files and Scalar's script beside the code. */
async function copyReference() {
  const [from, to] = [join(root, 'src', 'api', 'reference'), join(dist, 'reference')]
  for (const name of await readdir(from)) {
    if (/\.(css|js|svg)$/.test(name)) await cp(join(from, name), join(to, name))
  }
  const main = fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference'))
  const scalar = dirname(dirname(main))
  await cp(join(scalar, 'LICENSE'), join(to, 'scalar.LICENSE'))
  const script = await readFile(join(scalar, 'dist', 'js', 'standalone.js'), 'utf8')
  // It asks whether eval is allowed by trying it, and the browser reports that as a violation of
  // the page's policy. The answer is no, so it is written in.
  const probe = 'return new Function(""),!0'
  if (script.split(probe).length !== 2) throw new Error(`Scalar's script holds no ${probe}`)
  await writeFile(join(to, 'scalar.js'), script.replace(probe, 'return!1'))
}

/** Bundles the console's style and its script, with htmx, beside the code. */
async function copyConsole() {
  const [from, to] = [join(root, 'src', 'console'), join(dist, 'console')]
  await cp(join(from, 'style', 'console.css'), join(to, 'console.css'))
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: { client: join(from, 'client', 'index.js') },
    outdir: to,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    logLevel: 'warning',
  })
  for (const name of ['htmx.org', 'htmx-ext-sse', 'idiomorph']) {
    await cp(join(root, 'node_modules', name, 'LICENSE'), join(to, `${name}.LICENSE`))
  }
}

/** Reads and checks what is shipped, and keeps the result: what every start needs, and the rest. */
async function makeImage() {
  const { readBundled } = await importSource('src/runtime/bundled-data.ts')
  const { image, all } = await readBundled()
  await writeFile(join(dist, 'shipped.json'), JSON.stringify(image))
  await writeFile(join(dist, 'scenarios.json'), JSON.stringify(all))
}

/** Rebuilds on every change and restarts the sandbox. */
async function watch() {
  let child
  const restart = {
    name: 'restart',
    setup: (build) =>
      build.onEnd(({ errors }) => {
        if (errors.length > 0) return
        child?.kill()
        child = spawn(process.execPath, [join(dist, 'cli.js'), 'start'], { stdio: 'inherit' })
      }),
  }
  const plugins = [withoutUnusedZod, withoutAjv, restart]
  const context = await esbuild.context({ ...options, plugins })
  await context.watch()
}
