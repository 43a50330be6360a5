// Runs the Dockerfile's steps in folders, for machines without Docker: COPY and RUN of each stage on a clean
// clone, then the command, the health check and the token.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnServer } from './spawn-server.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sandramp-dockerfile-'))
/** The user of the image. Only root may become another user, who cannot write the other files of the image. */
const NODE = process.getuid() === 0 ? { uid: 1000, gid: 1000 } : {}
const say = (text) => console.log(`dockerfile: ${text}`)

try {
  const context = cleanContext()
  const stages = runStages(readFileSync(join(root, 'Dockerfile'), 'utf8'), context)
  const image = stages.at(-1)
  assert.ok(image.user && image.user !== 'root', 'the last stage has a user without rights')
  assert.deepEqual(readdirSync(placeOf(image, '.')).sort(), [
    'FIDELITY.md',
    'LICENSE',
    'README.md',
    'dist',
    'docs',
    'fixtures',
    'llms.txt',
    'openapi',
    'package.json',
    'scenarios',
    'templates',
  ])
  await runImage(image)
} finally {
  rmSync(folder, { recursive: true })
}

/** The build context: a clean clone without the files that .dockerignore excludes. */
function cleanContext() {
  const context = join(folder, 'context')
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, context])
  const [first, ...rest] = readFileSync(join(context, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  assert.equal(first, '*', '.dockerignore keeps everything out first')
  assert.ok(
    rest.every((line) => /^![\w.-]+$/.test(line)),
    '.dockerignore lets top-level names in',
  )
  for (const name of readdirSync(context)) {
    if (!rest.includes(`!${name}`)) rmSync(join(context, name), { recursive: true })
  }
  return context
}

/** Builds each stage in its own folder, used as its root. */
function runStages(dockerfile, context) {
  const stages = []
  for (const { name, rest } of instructionsOf(dockerfile)) {
    const stage = stages.at(-1)
    if (name === 'FROM') {
      const alias = /^node:24-slim(?: AS (\w+))?$/.exec(rest)
      assert.ok(alias, `FROM ${rest}: a slim image of Node 24 is expected`)
      const place = join(folder, `stage-${stages.length}`)
      mkdirSync(place)
      stages.push({ alias: alias[1], place, workdir: '/', env: {} })
    } else if (name === 'WORKDIR') {
      stage.workdir = rest
      mkdirSync(placeOf(stage, '.'), { recursive: true })
    } else if (name === 'ENV') {
      for (const pair of rest.split(/\s+/)) {
        const [key, value] = pair.split('=')
        stage.env[key] = value
      }
    } else if (name === 'COPY') copy(stages, stage, rest, context)
    else if (name === 'RUN') run(stage, rest)
    else if (name === 'USER') stage.user = rest
    else if (name === 'EXPOSE') stage.port = rest
    else if (name === 'ENTRYPOINT') stage.entrypoint = JSON.parse(rest)
    else if (name === 'HEALTHCHECK') stage.health = JSON.parse(/CMD (\[.*\])$/.exec(rest)?.[1])
    else if (name !== 'LABEL') throw new Error(`this script does not know ${name}`)
  }
  return stages
}

/** Instructions with their continuation lines joined. */
function instructionsOf(dockerfile) {
  return dockerfile
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({
      name: line.split(' ', 1)[0],
      rest: line.slice(line.indexOf(' ') + 1).trim(),
    }))
}

/** Maps a path in a stage to a path on this machine. */
function placeOf(stage, path) {
  return join(stage.place, posix.resolve(stage.workdir, path))
}

/** Copies files into a folder, and the contents of folders into the target, as COPY does. */
function copy(stages, stage, rest, context) {
  const [, from, words] = /^(?:--from=(\w+) )?(.*)$/.exec(rest)
  const sources = words.split(/\s+/)
  const target = placeOf(stage, sources.pop())
  const source = stages.find(({ alias }) => from && alias === from)
  assert.equal(source === undefined, from === undefined, `COPY ${rest}: the stage is known`)
  for (const path of sources) {
    const origin = source ? placeOf(source, path) : join(context, path)
    const isFolder = statSync(origin).isDirectory()
    cpSync(origin, isFolder ? target : join(target, basename(path)), { recursive: true })
  }
  say(`COPY ${rest}`)
}

function run(stage, command) {
  // The only command that names a folder of the image by its absolute path.
  const owned = /^install -d -o node -g node (\S+)$/.exec(command)?.[1]
  if (owned) {
    mkdirSync(placeOf(stage, owned))
    if (NODE.uid) chownSync(placeOf(stage, owned), NODE.uid, NODE.gid)
    return say(`RUN ${command}`)
  }
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: placeOf(stage, '.'),
    env: { ...process.env, ...stage.env },
    encoding: 'utf8',
  })
  assert.equal(status, 0, `RUN ${command}\n${stdout}${stderr}`)
  say(`RUN ${command}`)
}

/** Starts the image's command and checks its health as Docker and other containers do. */
async function runImage(image) {
  const port = await freePort()
  // The user cannot read the folders of root, where node may be.
  cpSync(process.execPath, join(folder, 'node'))
  chmodSync(folder, 0o755)
  const env = { PATH: folder, ...image.env, PORT: String(port) }
  const cwd = placeOf(image, '.')
  const isHealthy = () => {
    const [program, ...args] = image.health
    return spawnSync(program, args, { cwd, env, ...NODE }).status === 0
  }
  assert.equal(image.port, image.env.PORT, 'EXPOSE names the port that is listened on')
  assert.equal(isHealthy(), false, 'the health check fails while nothing runs')
  say('HEALTHCHECK fails before the start')

  const [program, ...args] = image.entrypoint
  const made = await spawnServer(program, args, { cwd, env, ...NODE })
  assert.ok(isHealthy(), 'the health check passes')
  const printed = /^ {2}control +(\S+)/m.exec(made.output)?.[1]
  assert.equal(await readClockByName(port, printed), 200, 'the token that was made is printed')
  assert.equal(await readClockByName(port), 401, 'without it the control API is closed')
  assert.equal(await made.stop('SIGTERM'), 0)
  say('ENTRYPOINT, HEALTHCHECK and SIGTERM work; a token is made and printed')

  const data = placeOf(image, '/data/state.json')
  const given = await spawnServer(program, [...args, '--clock', 'manual'], {
    cwd,
    env: { ...env, SANDRAMP_CONTROL_TOKEN: 'of-my-own', SANDRAMP_DATA: data },
    ...NODE,
  })
  assert.equal(await readClockByName(port, 'of-my-own'), 200)
  assert.equal(await given.stop('SIGINT'), 0)
  assert.ok(existsSync(data), 'user node writes to /data')
  const secure = await spawnServer(program, [...args, '--tls', '--strict'], { cwd, env, ...NODE })
  assert.ok(isHealthy(), 'the health check passes with --tls --strict')
  assert.equal(await secure.stop('SIGTERM'), 0)
  say('HEALTHCHECK passes over HTTPS')
  say('SANDRAMP_CONTROL_TOKEN opens the control API by another name; /data is writable')
}

/** Reads the clock as another container would, by the service name. */
function readClockByName(port, token) {
  const headers = {
    host: `sandramp:${port}`,
    ...(token && { authorization: `Bearer ${token}` }),
  }
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/_sandbox/clock', headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .once('error', reject)
      .end()
  })
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
