// The scripts of the pages. Without scripts, pages are readable and forms work.

import './htmx.js'
import './copying.js'
import './keys.js'
import './live-updates.js'
import './forms.js'
