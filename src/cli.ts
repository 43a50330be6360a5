#!/usr/bin/env node
import { main } from './cli/main.js'

main(process.argv.slice(2), process.env).then((code) => {
  if (code !== undefined) process.exit(code)
})
