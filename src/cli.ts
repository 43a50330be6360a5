#!/usr/bin/env node
import { loadProgram } from './cli/load-program.js'
import { programFile } from './lib/paths.js'

loadProgram(programFile).run()
