// Runs in each replica before Sandramp: sets its clock wrong, and ends it with the process that started it.
const { now } = Date
Date.now = () => now() + Number(process.env.TORTURE_CLOCK_MS)

const parent = process.ppid
const watch = () => process.ppid === parent || process.exit()
setInterval(watch, 1_000).unref()
