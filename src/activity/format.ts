export * from '../history/format.js'
