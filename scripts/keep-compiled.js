// Runs the command line, and keeps what V8 has compiled of it by the end.
import { fileURLToPath } from 'node:url'
import { importSource } from './import-source.js'

const { loadProgram } = await importSource('src/cli/load-program.ts')
const file = fileURLToPath(new URL('../dist/program.cjs', import.meta.url))
const { run, keepCompiled } = loadProgram(file)
process.on('exit', keepCompiled)
run()
