#!/usr/bin/env node
import { loadProgram } from './cli/load-program.js'
import { programFile } from './paths.js'

loadProgram(programFile).run()
