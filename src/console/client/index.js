// What the console's pages do by script. Without it they can be read, and forms work as forms do.

import './htmx.js'
import './copying.js'
import './keys.js'
import './live-updates.js'
import './forms.js'
