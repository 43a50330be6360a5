import { main } from './main.js'

// What src/cli.ts runs: the build puts all of it into one script.
main(process.argv.slice(2), process.env).then((code) => {
  if (code !== undefined) process.exit(code)
})
