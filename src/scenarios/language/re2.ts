import { RE2JS } from 're2js'
import { installRegexEngine } from './patterns.js'

// RE2 takes time linear in the text, so no pattern can block the sandbox.
installRegexEngine((pattern) => {
  const compiled = RE2JS.compile(pattern)
  return (text) => compiled.matcher(text).find()
})
