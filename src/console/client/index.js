// The scripts of the pages. Without them, pages read and forms post.

import htmx from 'htmx.org'
import './live.js'
import './keys.js'
import './clock.js'

window.htmx = htmx
