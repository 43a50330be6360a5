import { RE2JS } from 're2js'
import { installRegexEngine } from './patterns.js'

// RE2's engine takes time linear in the text: no pattern can make the sandbox hang.
installRegexEngine((pattern) => {
  const compiled = RE2JS.compile(pattern)
  return (text) => compiled.matcher(text).find()
})
