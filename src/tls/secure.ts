/** All that HTTPS takes, in one module that is loaded when it is asked for. */
export { makePair } from './certificate.js'
export { createFront } from './front.js'
export { readPair } from './given.js'
export { writeTrustFile } from './trust.js'
