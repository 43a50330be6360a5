#!/usr/bin/env node
import module from 'node:module'

// The last resort, such as for an import or a stream that fails.
process.on('uncaughtException', (error) => {
  process.stderr.write(`sandramp: ${String(error)}\n`)
  process.exit(1)
})

// Node 20 has no compile cache.
const { enableCompileCache } = module as { readonly enableCompileCache?: () => unknown }
enableCompileCache?.()

// Static imports would load before the cache is on.
const { main } = await import('./cli/main.js')
const code = await main(process.argv.slice(2), process.env)
if (code !== undefined) process.exit(code)
