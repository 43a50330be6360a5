// Bundles the command line and the library into dist/, and puts the reference's files beside them.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import { stampOf } from './build-stamp.js'
import { writeTypes } from './bundle-types.js'
import { importSource } from './import-source.js'
import { writeLicenses } from './licenses.js'
import { spawnServer } from './spawn-server.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const isWatching = process.argv.includes('--watch')
const target = join(root, 'dist')
/** A build that fails leaves the last one in place: it is made beside it. */
const dist = isWatching ? target : join(root, 'dist.new')
const previous = join(root, 'dist.old')

/** The first code of each bundle: an older Node would fail somewhere within, with a stack. */
const assertNode = (fail) =>
  `{const v=process.versions.node.split('.');if(v[0]<20||v[0]==20&&v[1]<19){const m=` +
  `'Sandramp needs Node 20.19 or newer, this is Node '+process.versions.node+'.';${fail}}}`

const shared = {
  absWorkingDir: root,
  outdir: dist,
  bundle: true,
  platform: 'node',
  target: 'node20',
  minify: true,
  define: { BUILT: 'true' },
  logLevel: 'warning',
}

const library = {
  ...shared,
  entryPoints: { index: 'src/index.ts' },
  format: 'esm',
  splitting: true,
  // Node shows the line that an error nobody catches was thrown on, above its message.
  lineLimit: 120,
  // Bundled CommonJS packages call require, which ES modules lack.
  banner: {
    js: `import{createRequire}from'node:module';const require=createRequire(import.meta.url);${assertNode('throw new Error(m)')}`,
  },
}

const commandLine = {
  ...shared,
  entryPoints: { cli: 'src/cli.ts' },
  format: 'esm',
  banner: { js: assertNode("process.stderr.write('sandramp: '+m+'\\n');process.exit(2)") },
}

/** One script, which V8 can be given as compiled: a function of what a module would have. */
const program = {
  ...shared,
  entryPoints: { program: 'src/cli/program.ts' },
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  banner: { js: '(function(require,__url){' },
  footer: { js: '})' },
  define: { ...shared.define, 'import.meta.url': '__url' },
}

if (isWatching) {
  await makeParts()
  await watch()
} else {
  try {
    await makeParts()
    // The declarations take longest, and need nothing of what else is made.
    await Promise.all([writeTypes(root, join(dist, 'index.d.ts')), bundle()])
  } catch (error) {
    await rm(dist, { recursive: true, force: true })
    throw error
  }
  await putInPlace()
}

/** Makes what needs no bundle, and the entry of the command line. */
async function makeParts() {
  await rm(dist, { recursive: true, force: true })
  for (const folder of ['reference', 'console']) {
    await mkdir(join(dist, folder), { recursive: true })
  }
  await copyReference()
  await copyConsole()
  await makeImage()
  await esbuild.build(commandLine)
}

/** Puts the new build in the place of the last one, which comes back when the new one does not start. */
async function putInPlace() {
  await rm(previous, { recursive: true, force: true })
  const isFirst = !existsSync(target)
  if (!isFirst) await rename(target, previous)
  await rename(dist, target)
  try {
    await keepCompiled()
    await writeFile(stampOf(root), process.version)
  } catch (error) {
    await rm(target, { recursive: true, force: true })
    if (!isFirst) await rename(previous, target)
    throw error
  }
  await rm(previous, { recursive: true, force: true })
}

/** Bundles what is run, with the licenses of what went in. */
async function bundle() {
  const built = await Promise.all(
    [library, program].map((options) => esbuild.build({ ...options, metafile: true })),
  )
  const inputs = built.flatMap(({ metafile }) => Object.keys(metafile.inputs))
  await writeLicenses(root, inputs, join(dist, 'LICENSES.txt'))
}

/** Puts the reference's files beside the code: Scalar's script, compressed once and for all. */
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
  await writeFile(join(to, 'scalar.js.gz'), gzipSync(script.replace(probe, 'return!1')))
}

/** Puts the console's files beside the code: its style and script, and htmx, compressed. */
async function copyConsole() {
  const [from, to] = [join(root, 'src', 'console'), join(dist, 'console')]
  await cp(join(from, 'style', 'style.css'), join(to, 'style.css'))
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
  const htmx = dirname(dirname(fileURLToPath(import.meta.resolve('htmx.org'))))
  await cp(join(htmx, 'LICENSE'), join(to, 'htmx.LICENSE'))
  const script = await readFile(join(htmx, 'dist', 'htmx.min.js'))
  await writeFile(join(to, 'htmx.js.gz'), gzipSync(script))
}

/** Reads and checks what is shipped, and keeps the result: what every start needs, and the rest. */
async function makeImage() {
  const { readBundled } = await importSource('src/runtime/bundled-data.ts')
  const { image, all } = await readBundled()
  await writeFile(join(dist, 'shipped.json'), JSON.stringify(image))
  await writeFile(join(dist, 'scenarios.json'), JSON.stringify(all))
}

/** Has the sandbox answer once, so that later starts find compiled what that takes. */
async function keepCompiled() {
  const file = join(root, 'scripts', 'keep-compiled.js')
  const args = [file, 'start', '--port', '0', '--log', 'silent']
  const sandbox = await spawnServer(process.execPath, args, { env: withoutFlags(process.env) })
  await fetch(new URL('/_sandbox/health', sandbox.url))
  await sandbox.stop('SIGTERM')
}

/** Variables stand for flags, which are for the sandbox that is started behind the build. */
function withoutFlags(env) {
  const others = Object.entries(env).filter(([name]) => !/^(?:HOST|PORT|SANDRAMP_.*)$/i.test(name))
  return Object.fromEntries(others)
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
  for (const options of [library, { ...program, plugins: [restart] }]) {
    const context = await esbuild.context(options)
    await context.watch()
  }
}
